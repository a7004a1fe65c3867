import { MOST_STOCK } from '@cobro/contracts/products.ts';
import { readAmount } from '@cobro/dashboard/payments/action-page.ts';
import type { ProductField } from '@cobro/dashboard/products/product-forms.ts';
import { formMadeAt } from '../http/form-id.ts';
import { isText, typedOf } from '../http/typed.rules.ts';
import { field } from '../http/visit.ts';

type Read<T> = ({ kind: 'good' } & T) | { kind: 'wrong'; wrong: ProductField[] } | { kind: 'too-old' };

export const typedIn = (form: URLSearchParams): { [Name in ProductField | 'change']?: string } =>
  typedOf(form, ['name', 'description', 'price', 'stock', 'externalId', 'change']);

interface ProductRequest {
  name: string;
  price: number;
  externalId: string;
  description?: string;
  stock?: number;
}

/** The request of a new product. The form's id is its externalId unless one was typed, so that the same form makes one product. */
export function readNewProduct(
  form: URLSearchParams,
  now: Date,
): Read<{ formId: string; request: ProductRequest; isReferenceOwn: boolean }> {
  const formId = field(form, 'formId');
  if (formMadeAt(formId, now) === undefined) return { kind: 'too-old' };
  const { name, description, price, wrong } = readTexts(form);
  const stock = wholeNumberIn(field(form, 'stock'));
  const externalId = field(form, 'externalId');
  if (field(form, 'stock') !== '' && (stock === undefined || stock < 0 || stock > MOST_STOCK)) wrong.push('stock');
  if (!isText(externalId, 255)) wrong.push('externalId');
  if (price === undefined || wrong.length > 0) return { kind: 'wrong', wrong };
  return {
    kind: 'good',
    formId,
    isReferenceOwn: externalId !== '',
    request: {
      name,
      price,
      externalId: externalId === '' ? formId : externalId,
      ...(description !== '' && { description }),
      ...(stock !== undefined && { stock }),
    },
  };
}

interface ProductChanges {
  name?: string;
  description?: string;
  price?: number;
}

/** The fields that the person has changed; the rest is not sent, so that it undoes nobody's change. */
export function readChanges(form: URLSearchParams): Exclude<Read<{ changes: ProductChanges }>, { kind: 'too-old' }> {
  const { name, description, price, wrong } = readTexts(form);
  if (description === '' && field(form, 'was-description') !== '') wrong.push('description');
  if (wrong.length > 0) return { kind: 'wrong', wrong };
  const changes: ProductChanges = {};
  if (name !== field(form, 'was-name')) changes.name = name;
  if (description !== field(form, 'was-description')) changes.description = description;
  if (price !== undefined && price !== readAmount(field(form, 'was-price'))) changes.price = price;
  return { kind: 'good', changes };
}

/** The change in units; undefined if it is not valid. */
export function readStockChange(form: URLSearchParams): number | undefined {
  const change = wholeNumberIn(field(form, 'change'));
  return change === undefined || change === 0 || Math.abs(change) > MOST_STOCK ? undefined : change;
}

function readTexts(form: URLSearchParams) {
  const [name, description, price] = [
    field(form, 'name'),
    field(form, 'description'),
    readAmount(field(form, 'price')),
  ] as const;
  const wrong: ProductField[] = [];
  if (!isText(name, 255) || name === '') wrong.push('name');
  if (price === undefined) wrong.push('price');
  if (!isText(description, 500)) wrong.push('description');
  return { name, description, price, wrong };
}

/** A whole number as people type it: "1,200", "+10", "-3". */
function wholeNumberIn(text: string): number | undefined {
  const plain = text.replace('−', '-').replaceAll(/[\s,]/g, '');
  return /^[+-]?\d{1,9}$/.test(plain) ? Number(plain) : undefined;
}

import { offeredTerms } from '@cobro/contracts/offered-terms.ts';
import type { PaymentLinkField, NewPaymentLinkView } from '@cobro/dashboard/payment-links/new-payment-link-page.ts';
import { readAmount } from '@cobro/dashboard/payments/action-page.ts';
import { timeInCity } from '../developers/since.rules.ts';
import { formMadeAt } from '../http/form-id.ts';
import { isText, typedOf } from '../http/typed.rules.ts';
import { field } from '../http/visit.ts';
import { termsIn } from '../links/link-form.rules.ts';

interface PaymentLinkRequest {
  /** Either this and a description, or a product. */
  amount?: number;
  productId?: string;
  description?: string;
  /** The form's id. */
  externalId: string;
  allowedTerms: (typeof offeredTerms)[number][];
  maxPayments?: number;
  expiresAt?: string;
  salespersonId?: string;
}

export type ReadForm =
  | { kind: 'good'; request: PaymentLinkRequest }
  | { kind: 'wrong'; wrong: PaymentLinkField[] }
  | { kind: 'too-old' };

const typed = ['product', 'amount', 'description', 'maxPayments', 'expiresAt', 'salesperson'];

export function typedIn(form: URLSearchParams): NewPaymentLinkView['typed'] {
  return { ...typedOf(form, typed), terms: termsIn(form, offeredTerms) };
}

/** The request depends on the form alone, so that the same form repeats it. Without chosen terms it offers no installments. */
export function readPaymentLinkForm(form: URLSearchParams, now: Date): ReadForm {
  const formId = field(form, 'formId');
  if (formMadeAt(formId, now) === undefined) return { kind: 'too-old' };
  const { productId, amount, description, wrong } = readWhat(form);
  const [most, until, salespersonId] = [
    field(form, 'maxPayments'),
    field(form, 'expiresAt'),
    field(form, 'salesperson'),
  ];
  const maxPayments = Number(/^\d{1,7}$/.exec(most)?.[0] ?? '0');
  if (most !== '' && (maxPayments < 1 || maxPayments > 1_000_000)) wrong.push('maxPayments');
  const expiresAt = timeInCity(until);
  if (until !== '' && (expiresAt === undefined || expiresAt <= now)) wrong.push('expiresAt');
  if (wrong.length > 0) return { kind: 'wrong', wrong };
  const terms = termsIn(form, offeredTerms);
  return {
    kind: 'good',
    request: {
      ...(amount === undefined ? { productId } : { amount }),
      ...(description !== '' && { description }),
      externalId: formId,
      allowedTerms: terms.length === 0 ? [1] : terms,
      ...(most !== '' && { maxPayments }),
      ...(expiresAt !== undefined && { expiresAt: expiresAt.toISOString() }),
      ...(salespersonId !== '' && { salespersonId }),
    },
  };
}

/** A product has its own price, and its name is the description unless one is typed. */
function readWhat(form: URLSearchParams) {
  const [productId, pesos, description] = [field(form, 'product'), field(form, 'amount'), field(form, 'description')];
  const amount = readAmount(pesos);
  const wrong: PaymentLinkField[] = [];
  if (productId === '' ? amount === undefined : pesos !== '') wrong.push('amount');
  const isMissing = description === '' && productId === '';
  if (isMissing || !isText(description, 500)) wrong.push('description');
  return { productId, amount, description, wrong };
}

import { installmentTerms } from '@cobro/contracts/one-time-payments.ts';
import { type LinkField, linkDays, type NewLinkView } from '@cobro/dashboard/links/new-link-page.ts';
import { readAmount } from '@cobro/dashboard/payments/action-page.ts';
import { formMadeAt } from '../http/form-id.ts';
import { isText, typedOf } from '../http/typed.rules.ts';
import { field } from '../http/visit.ts';

const DAY_MS = 86_400_000;

/** What is sent to the API. It depends on the form alone, so that the same form is the same request. */
export interface LinkRequest {
  amount: number;
  description: string;
  externalId: string;
  allowedTerms: (typeof installmentTerms)[number][];
  expiresAt: string;
  salespersonId?: string;
}

export type ReadForm =
  | { kind: 'good'; formId: string; request: LinkRequest; isReferenceOwn: boolean }
  | { kind: 'wrong'; wrong: LinkField[] }
  | { kind: 'too-old' };

export function typedIn(form: URLSearchParams): NewLinkView['typed'] {
  const names = ['amount', 'description', 'externalId', 'days', 'salesperson'];
  return { ...typedOf(form, names), terms: termsIn(form, installmentTerms) };
}

export const termsIn = <T extends number>(form: URLSearchParams, offered: readonly T[]): T[] =>
  offered.filter((terms) => form.getAll('terms').includes(String(terms)));

/** A link's days count from when its form was made, so that sending the form again repeats the same request. */
export function readLinkForm(form: URLSearchParams, now: Date): ReadForm {
  const formId = field(form, 'formId');
  const madeAt = formMadeAt(formId, now);
  if (madeAt === undefined) return { kind: 'too-old' };
  const [amount, description, externalId, salespersonId] = [
    readAmount(field(form, 'amount')),
    field(form, 'description'),
    field(form, 'externalId'),
    field(form, 'salesperson'),
  ];
  const allowedTerms = termsIn(form, installmentTerms);
  const days = linkDays.find((one) => String(one) === field(form, 'days')) ?? 1;
  const wrong: LinkField[] = [];
  if (amount === undefined) wrong.push('amount');
  if (!isText(description, 500) || description === '') wrong.push('description');
  if (allowedTerms.length === 0) wrong.push('terms');
  if (!isText(externalId, 255)) wrong.push('externalId');
  if (amount === undefined || wrong.length > 0) return { kind: 'wrong', wrong };
  const expiresAt = new Date(madeAt.getTime() + days * DAY_MS).toISOString();
  return {
    kind: 'good',
    formId,
    request: {
      amount,
      description,
      externalId: externalId === '' ? formId : externalId,
      allowedTerms,
      expiresAt,
      ...(salespersonId !== '' && { salespersonId }),
    },
    isReferenceOwn: externalId !== '',
  };
}

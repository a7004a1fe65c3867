import { holdsCardData } from '@cobro/contracts/card-data.ts';
import type { PaymentLinkField, NewPaymentLinkView } from '@cobro/dashboard/payment-links/new-payment-link-page.ts';
import { readAmount } from '@cobro/dashboard/payments/action-page.ts';
import { formMadeAt } from '../http/form-id.ts';
import { field } from '../http/visit.ts';
import { type Term, termsIn } from '../links/link-form.rules.ts';

interface PaymentLinkRequest {
  amount: number;
  description: string;
  /** The form's id. */
  externalId: string;
  allowedTerms: Term[];
  maxPayments?: number;
}

export type ReadForm =
  | { kind: 'good'; request: PaymentLinkRequest }
  | { kind: 'wrong'; wrong: PaymentLinkField[] }
  | { kind: 'too-old' };

/** What was typed, to be shown again: never what looks like a card number. */
export function typedIn(form: URLSearchParams): NewPaymentLinkView['typed'] {
  const given = ['amount', 'description', 'maxPayments'].flatMap((name) => {
    const value = form.get(name);
    return value === null || holdsCardData(value) ? [] : [[name, value.slice(0, 500)]];
  });
  return { ...Object.fromEntries(given), terms: termsIn(form) };
}

/** It depends on the form alone, so that the same form is the same request. Without a choice of terms it is a single payment. */
export function readPaymentLinkForm(form: URLSearchParams, now: Date): ReadForm {
  const formId = field(form, 'formId');
  if (formMadeAt(formId, now) === undefined) return { kind: 'too-old' };
  const amount = readAmount(field(form, 'amount'));
  const description = field(form, 'description');
  const most = field(form, 'maxPayments');
  const maxPayments = /^\d{1,7}$/.test(most) ? Number(most) : undefined;
  const terms = termsIn(form);
  const wrong: PaymentLinkField[] = [];
  if (amount === undefined) wrong.push('amount');
  if (description === '' || [...description].length > 500 || holdsCardData(description)) wrong.push('description');
  const isMost = maxPayments !== undefined && maxPayments >= 1 && maxPayments <= 1_000_000;
  if (most !== '' && !isMost) wrong.push('maxPayments');
  if (amount === undefined || wrong.length > 0) return { kind: 'wrong', wrong };
  const allowedTerms: Term[] = terms.length === 0 ? [1] : terms;
  const request = { amount, description, externalId: formId, allowedTerms };
  return { kind: 'good', request: maxPayments === undefined ? request : { ...request, maxPayments } };
}

import { uuid } from '@cobro/contracts/ids.ts';
import { periodicities, type Periodicity } from '@cobro/contracts/periodicities.ts';
import type { NewSubscriptionView, SubscriptionField } from '@cobro/dashboard/subscriptions/new-subscription-page.ts';
import { wholeDay } from '@cobro/contracts/reports.ts';
import { readAmount } from '@cobro/dashboard/payments/action-page.ts';
import { formMadeAt } from '../http/form-id.ts';
import { isText, typedOf } from '../http/typed.rules.ts';
import { field } from '../http/visit.ts';

interface SubscriptionRequest {
  paymentMethodId: string;
  amount: number;
  periodicity: Periodicity;
  /** The form's id. */
  externalId: string;
  firstBillingDate?: string;
  totalPeriods?: number;
  description?: string;
}

export type ReadForm =
  | { kind: 'good'; request: SubscriptionRequest }
  | { kind: 'wrong'; wrong: SubscriptionField[] }
  | { kind: 'too-old' };

const names = [
  'paymentMethodId',
  'amount',
  'periodicity',
  'firstBillingDate',
  'totalPeriods',
  'description',
] as const satisfies SubscriptionField[];

export const typedIn = (form: URLSearchParams): NewSubscriptionView['typed'] => typedOf(form, names);

/** The request depends on the form alone, so that the same form repeats it. The API refuses a day that is too far off. */
export function readSubscriptionForm(form: URLSearchParams, now: Date): ReadForm {
  const formId = field(form, 'formId');
  if (formMadeAt(formId, now) === undefined) return { kind: 'too-old' };
  const amount = readAmount(field(form, 'amount'));
  const method = uuid.safeParse(field(form, 'paymentMethodId'));
  const periodicity = periodicities.find((one) => one === field(form, 'periodicity'));
  const [first, total, description] = [
    field(form, 'firstBillingDate'),
    field(form, 'totalPeriods'),
    field(form, 'description'),
  ];
  const wrong: SubscriptionField[] = [];
  if (!method.success) wrong.push('paymentMethodId');
  if (amount === undefined) wrong.push('amount');
  if (periodicity === undefined) wrong.push('periodicity');
  if (first !== '' && !isDay(first)) wrong.push('firstBillingDate');
  if (total !== '' && !(/^\d{1,3}$/.test(total) && Number(total) >= 1 && Number(total) <= 600)) {
    wrong.push('totalPeriods');
  }
  if (!isText(description, 500)) wrong.push('description');
  if (wrong.length > 0 || amount === undefined || periodicity === undefined || !method.success) {
    return { kind: 'wrong', wrong };
  }
  const request = {
    paymentMethodId: method.data,
    amount,
    periodicity,
    externalId: formId,
    ...(first !== '' && { firstBillingDate: first }),
    ...(total !== '' && { totalPeriods: Number(total) }),
    ...(description !== '' && { description }),
  };
  return { kind: 'good', request };
}

const isDay = (text: string) => wholeDay.safeParse(text).success;

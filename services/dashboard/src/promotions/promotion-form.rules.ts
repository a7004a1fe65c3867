import { offeredTerms } from '@cobro/contracts/offered-terms.ts';
import { paymentTypes } from '@cobro/contracts/payment-fields.ts';
import { cardNetworks } from '@cobro/contracts/promotions.ts';
import { readAmount } from '@cobro/dashboard/payments/action-page.ts';
import {
  chosenFields,
  type NewPromotionView,
  type PromotionField,
  typedFields,
} from '@cobro/dashboard/promotions/new-promotion-page.ts';
import { timeInCity } from '../developers/since.rules.ts';
import { formMadeAt } from '../http/form-id.ts';
import { percentIn } from '../http/percent.rules.ts';
import { isText, typedOf } from '../http/typed.rules.ts';
import { field } from '../http/visit.ts';

/** What is sent to the API. It depends on the form alone, so that the same form is the same request. */
export interface PromotionRequest {
  name: string;
  feeDiscount: number;
  businessTake: number;
  terms: (typeof offeredTerms)[number][];
  types: (typeof paymentTypes)[number][];
  networks: (typeof cardNetworks)[number][];
  issuingBanks: string[];
  productIds: string[];
  minimumAmount?: number;
  maxPayments?: number;
  startsAt: string;
  endsAt: string;
  externalId: string;
}

export type ReadForm =
  | { kind: 'good'; formId: string; request: PromotionRequest; isReferenceOwn: boolean }
  | { kind: 'wrong'; wrong: PromotionField[] }
  | { kind: 'too-old' };

export const typedIn = (form: URLSearchParams): NewPromotionView['typed'] => typedOf(form, typedFields);

export const chosenIn = (form: URLSearchParams): NewPromotionView['chosen'] =>
  Object.fromEntries(chosenFields.map((name) => [name, form.getAll(name)]));

export function readPromotionForm(form: URLSearchParams, now: Date): ReadForm {
  const formId = field(form, 'formId');
  if (formMadeAt(formId, now) === undefined) return { kind: 'too-old' };
  const { name, externalId, issuingBanks, wrong } = readTexts(form);
  const { feeDiscount, businessTake, minimumAmount, maxPayments, wrong: wrongNumbers } = readNumbers(form);
  const [startsAt, endsAt] = [timeInCity(field(form, 'startsAt')), timeInCity(field(form, 'endsAt'))];
  wrong.push(...wrongNumbers);
  if (startsAt === undefined) wrong.push('startsAt');
  if (endsAt === undefined || endsAt <= now || (startsAt && endsAt <= startsAt)) wrong.push('endsAt');
  if (startsAt === undefined || endsAt === undefined || wrong.length > 0) return { kind: 'wrong', wrong };
  return {
    kind: 'good',
    formId,
    isReferenceOwn: externalId !== '',
    request: {
      name,
      feeDiscount,
      businessTake,
      terms: chosenOf(form, 'terms', offeredTerms),
      types: chosenOf(form, 'types', paymentTypes),
      networks: chosenOf(form, 'networks', cardNetworks),
      issuingBanks,
      productIds: [...new Set(form.getAll('productIds'))],
      ...(minimumAmount !== undefined && { minimumAmount }),
      ...(maxPayments !== undefined && { maxPayments }),
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
      externalId: externalId === '' ? formId : externalId,
    },
  };
}

const chosenOf = <T extends string | number>(form: URLSearchParams, name: string, all: readonly T[]): T[] =>
  all.filter((one) => form.getAll(name).includes(String(one)));

function readTexts(form: URLSearchParams) {
  const [name, externalId] = [field(form, 'name'), field(form, 'externalId')];
  const banks = field(form, 'issuingBanks').split(',');
  const issuingBanks = [...new Set(banks.map((bank) => bank.trim()).filter((bank) => bank !== ''))];
  const wrong: PromotionField[] = [];
  if (name === '' || !isText(name, 255)) wrong.push('name');
  if (!isText(externalId, 255)) wrong.push('externalId');
  if (issuingBanks.length > 100 || !issuingBanks.every((bank) => isText(bank, 255))) wrong.push('issuingBanks');
  return { name, externalId, issuingBanks, wrong };
}

function readNumbers(form: URLSearchParams) {
  const [feeDiscount, businessTake] = [
    percentIn(field(form, 'feeDiscount'), 20),
    percentIn(field(form, 'businessTake'), 50),
  ];
  const [least, most] = [field(form, 'minimumAmount'), field(form, 'maxPayments').replaceAll(/[\s,]/g, '')];
  const minimumAmount = least === '' ? undefined : readAmount(least);
  const maxPayments = most === '' ? undefined : Number(/^\d{1,7}$/.exec(most)?.[0] ?? '0');
  const wrong: PromotionField[] = [];
  if (feeDiscount === undefined) wrong.push('feeDiscount');
  if (businessTake === undefined) wrong.push('businessTake');
  if (feeDiscount === 0 && businessTake === 0) wrong.push('nothing');
  if (least !== '' && minimumAmount === undefined) wrong.push('minimumAmount');
  if (maxPayments !== undefined && (maxPayments < 1 || maxPayments > 1_000_000)) wrong.push('maxPayments');
  return { feeDiscount: feeDiscount ?? 0, businessTake: businessTake ?? 0, minimumAmount, maxPayments, wrong };
}

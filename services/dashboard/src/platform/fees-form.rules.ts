import { fundingSources, MOST_FEE } from '@cobro/contracts/fee-channels.ts';
import { offeredTerms } from '@cobro/contracts/offered-terms.ts';
import { paymentTypes } from '@cobro/contracts/payment-fields.ts';
import { cardNetworks } from '@cobro/contracts/promotions.ts';
import type { FeeField, FeesOfOrganizationView } from '@cobro/dashboard/platform/fees-of-organization.ts';
import { percentIn } from '../http/percent.rules.ts';
import { field } from '../http/visit.ts';
import { termsIn } from '../links/link-form.rules.ts';

interface FeeToSet {
  type: (typeof paymentTypes)[number];
  network?: (typeof cardNetworks)[number];
  fundingSource?: (typeof fundingSources)[number];
  terms: (typeof offeredTerms)[number];
  feePercentage: number;
  promotionFeeDiscount: number;
  promotionBusinessTake: number;
}

const typed = ['fee', 'discount', 'take', 'network', 'fundingSource'];

/** What was typed and chosen, to be shown again. */
export const typedIn = (form: URLSearchParams): Pick<FeesOfOrganizationView, 'typed' | 'chosen'> => ({
  typed: Object.fromEntries(typed.map((name) => [name, field(form, name).slice(0, 10)])),
  chosen: { types: form.getAll('types'), terms: form.getAll('terms') },
});

/** A row for each kind of payment and number of months that was chosen. */
export function readFeesForm(
  form: URLSearchParams,
): { kind: 'good'; items: FeeToSet[] } | { kind: 'wrong'; wrong: FeeField[] } {
  const types = paymentTypes.filter((type) => form.getAll('types').includes(type));
  const terms = termsIn(form, offeredTerms);
  const network = cardNetworks.find((one) => one === field(form, 'network'));
  const fundingSource = fundingSources.find((one) => one === field(form, 'fundingSource'));
  const [fee, discount, take] = [
    field(form, 'fee') === '' ? undefined : percentIn(field(form, 'fee'), MOST_FEE),
    percentIn(field(form, 'discount'), MOST_FEE),
    percentIn(field(form, 'take'), MOST_FEE),
  ];
  const wrong: FeeField[] = [];
  if (types.length === 0) wrong.push('types');
  if (terms.length === 0) wrong.push('terms');
  if (fee === undefined) wrong.push('fee');
  if (discount === undefined || (fee !== undefined && discount > fee)) wrong.push('discount');
  if (take === undefined) wrong.push('take');
  if (fee === undefined || discount === undefined || take === undefined || wrong.length > 0) {
    return { kind: 'wrong', wrong };
  }
  const rates = { feePercentage: fee, promotionFeeDiscount: discount, promotionBusinessTake: take };
  const card = { ...(network && { network }), ...(fundingSource && { fundingSource }) };
  const items = types.flatMap((type) => terms.map((months) => ({ type, ...card, terms: months, ...rates })));
  return { kind: 'good', items };
}

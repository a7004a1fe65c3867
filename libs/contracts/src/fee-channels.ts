import { z } from 'zod';
import { oneOf } from './developer-lists.ts';
import { uuid } from './ids.ts';
import { terms } from './offered-terms.ts';
import { paymentTypes } from './payment-fields.ts';
import { percentUpTo } from './percent.ts';
import { cardNetworks } from './promotions.ts';
import { optional, text, textOrNull } from './text.ts';
import { wholeNumberFrom } from './whole-number.ts';

const percent = z.number().min(0);
export const MOST_FEE = 30;

/** The payments to which a row of a fee table applies. Null means any; if several rows fit, the most specific one counts. */
const channel = { type: z.enum(paymentTypes), network: textOrNull, fundingSource: textOrNull, terms: z.int() };
const rates = { feePercentage: percent, promotionFeeDiscount: percent, promotionBusinessTake: percent };

/** A row of an organization's fee table. */
export const feeChannel = z.strictObject({ ...channel, ...rates }).meta({ id: 'FeeChannel' });

/** Answer of GET /fee-channel. */
export const feeChannels = z.strictObject({ items: z.array(feeChannel) });
export type FeeChannel = z.output<typeof feeChannel>;

const ratesOrNone = z.strictObject(rates).nullable();

/** A row whose rates have changed. `before` is null if the row is new, `after` if it was removed. */
export const feeChange = z.strictObject({ ...channel, before: ratesOrNone, after: ratesOrNone });
export type FeeChange = z.output<typeof feeChange>;

/** Answer when the platform changes a table: the whole table afterwards, and the rows that this request changed. */
export const changedFees = z.strictObject({ items: z.array(feeChannel), changed: z.array(feeChange) });

export const fundingSources = ['CREDIT', 'DEBIT', 'PREPAID'] as const;
const type = oneOf(paymentTypes);

/** A row to be written. Percent comes out in basis points. A missing network or fundingSource means any. */
const feeToSet = z
  .strictObject({
    type,
    network: optional(oneOf(cardNetworks)),
    fundingSource: optional(oneOf(fundingSources)),
    terms,
    feePercentage: percentUpTo(MOST_FEE),
    promotionFeeDiscount: percentUpTo(MOST_FEE),
    promotionBusinessTake: percentUpTo(MOST_FEE),
  })
  .refine(({ feePercentage, promotionFeeDiscount }) => promotionFeeDiscount <= feePercentage, {
    path: ['promotionFeeDiscount'],
    error: 'must not exceed feePercentage',
  });

/** Body of POST /platform/organization/{organizationId}/fee-channel: all rows are written, or none. */
export const feesToSet = z.strictObject({
  items: z.array(feeToSet).min(1, { error: 'must not be empty' }).max(50, { error: 'must have 50 rows at most' }),
});

/** Body of …/fee-channel/remove: names exactly one row, which an operator's command may have written. */
export const feeToRemove = z.strictObject({
  type,
  network: optional(text(50)),
  fundingSource: optional(text(50)),
  terms: wholeNumberFrom(1, 99),
});

export const organizationParams = z.strictObject({ organizationId: uuid });

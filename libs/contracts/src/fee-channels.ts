import { z } from 'zod';
import { paymentTypes } from './payment-fields.ts';
import { textOrNull } from './text.ts';

const percent = z.number().min(0);

/** A row of an organization's fee table. Null means any; of several that fit, the most specific counts. */
const feeChannel = z
  .strictObject({
    type: z.enum(paymentTypes),
    network: textOrNull,
    fundingSource: textOrNull,
    terms: z.int(),
    feePercentage: percent,
    promotionFeeDiscount: percent,
    promotionBusinessTake: percent,
  })
  .meta({ id: 'FeeChannel' });

/** Answer of GET /fee-channel. */
export const feeChannels = z.strictObject({ items: z.array(feeChannel) });

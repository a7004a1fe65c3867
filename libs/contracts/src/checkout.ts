import { z } from 'zod';
import { eachOnce } from './each-once.ts';
import { holdsCardData } from './card-data.ts';
import { NO_CARD_DATA, textOrNull } from './text.ts';

/** Shared by one-time payments and payment links: both are paid at a checkout. */

const A_WEB_ADDRESS = 'must be an http or https URL';

/** An address to which our pages may link or our services may send. */
export const webAddress = z
  .url({ protocol: /^https?$/, error: A_WEB_ADDRESS })
  .refine((url) => url.length <= 2_048, { error: 'must have at most 2048 characters' })
  .refine((url) => !holdsCardData(url) && !holdsCardData(decoded(url)), { error: NO_CARD_DATA })
  .meta({ maxLength: 2_048, description: A_WEB_ADDRESS });

/** In an address a blank is written `%20` or `+`. */
function decoded(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('+', ' '));
  } catch {
    return url;
  }
}

/** The terms that a payer may choose from. */
export const distinct = <S extends z.ZodType>(terms: S) =>
  eachOnce(terms, 'an array of terms').min(1, { error: 'must name at least one' });

/** What a payer is shown of the merchant. */
export const shownMerchant = z.strictObject({
  name: z.string(),
  business: z.strictObject({ websiteURL: textOrNull }),
});

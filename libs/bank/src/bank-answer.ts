import { Secret } from '@cobro/contracts/secret.ts';
import { z } from 'zod';
import type { Approved, BankRequest, Declined, InquiryAnswer } from './bank.ts';

/**
 * The bank's answers are input. What decides (outcome, reference, time, token) has to be there and well-formed, or the whole
 * answer counts as unknown. What is only shown or kept is cleaned and cut.
 */
const MOST_TEXT = 500;
const MOST_CODE = 64;

/** Postgres takes neither NUL nor half a surrogate pair, and no other control character has a meaning here. */
const clean = (text: string, most: number): string => {
  // oxlint-disable-next-line no-control-regex
  const printable = text.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
  return [...printable].slice(0, most).join('').trim();
};

/** Kept with the payment; null where it is missing, or is no text. */
const shown = (most: number) =>
  z
    .string()
    .transform((text) => clean(text, most) || null)
    .nullable()
    .catch(null)
    .default(null);

/** Sent back to the bank as it is, so it is not cleaned. */
const identifier = z.string().regex(/^[\x21-\x7e]{1,256}$/);

/** A bank whose clock is decades off has not answered. */
const time = z.iso
  .datetime()
  .transform((iso) => new Date(iso))
  .refine((date) => date.getUTCFullYear() >= 2000 && date.getUTCFullYear() < 2100);

/** A character that is in no code becomes `_`, so that no broken code looks like one that we know. */
const declineCode = z
  .string()
  .min(1)
  .transform((code) => code.slice(0, MOST_CODE).replaceAll(/[^\w.-]/g, '_'));

const said = { time, authCode: shown(MOST_CODE), resultCode: shown(MOST_CODE), text: shown(MOST_TEXT) };
const moved = z.object({ outcome: z.literal('approved'), reference: identifier, ...said });
const saved = z.object({
  outcome: z.literal('approved'),
  reference: identifier.nullable().default(null),
  ...said,
  token: identifier.transform((token) => new Secret(token)),
  lastFourDigits: z.string().regex(/^\d{4}$/),
  // Fees go by these two, so they are not cleaned either.
  network: z.string().regex(/^[\w -]{1,64}$/),
  fundingSource: z.string().regex(/^[\w -]{1,64}$/),
  issuingBank: shown(MOST_TEXT).pipe(z.string()),
});
const declined = z.object({
  outcome: z.literal('declined'),
  declineCode,
  reference: identifier.nullable().catch(null).default(null),
  ...said,
});
/** The bank keeps no record of a refused tokenization, so that decline has no time of its own. */
const notSaved = declined.extend({ time: time.optional().transform((given) => given ?? new Date()) });
const notFound = z.object({ outcome: z.literal('not_found'), closed: z.boolean() });

/** What the bank said to an operation of this kind. */
export function readAnswer(kind: BankRequest['kind'], json: unknown): Approved | Declined | { outcome: 'unknown' } {
  if (kind !== 'tokenize') {
    const read = z.discriminatedUnion('outcome', [moved, declined]).safeParse(json);
    return read.success ? read.data : { outcome: 'unknown' };
  }
  const read = z.discriminatedUnion('outcome', [saved, notSaved]).safeParse(json);
  if (!read.success) return { outcome: 'unknown' };
  if (read.data.outcome === 'declined') return read.data;
  const { token, lastFourDigits, network, fundingSource, issuingBank, ...rest } = read.data;
  return { ...rest, vaulted: { token, lastFourDigits, network, fundingSource, issuingBank } };
}

/** What the bank said when it was asked what became of an operation of this kind. */
export function readInquiryAnswer(kind: BankRequest['kind'], json: unknown): InquiryAnswer {
  const missing = notFound.safeParse(json);
  return missing.success ? missing.data : readAnswer(kind, json);
}

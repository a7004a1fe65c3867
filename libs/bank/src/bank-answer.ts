import { approved, declined, notFound, tokenized } from '@cobro/contracts/acquirer/answers.ts';
import { identifier } from '@cobro/contracts/acquirer/operation-requests.ts';
import { type Problem, problemBody, problems } from '@cobro/contracts/acquirer/problems.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { z } from 'zod';
import type { Approved, BankAnswer, BankRequest, Declined, InquiryAnswer } from './bank.ts';

/**
 * The bank's answers are input. Fields that decide (outcome, reference, time, token) must be there and well-formed, or the whole
 * answer counts as unknown. Fields that are only shown or kept are cleaned and cut if they break the contract.
 */
const MOST_TEXT = 500;
const MOST_CODE = 64;

/** Postgres takes neither NUL nor half a surrogate pair, and no other control character has a meaning here. */
const clean = (text: string, most: number): string => {
  // oxlint-disable-next-line no-control-regex
  const printable = text.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
  return [...printable].slice(0, most).join('').trim();
};

/** Kept with the payment; null if it is missing or not text. */
const shown = (most: number) =>
  z
    .string()
    .transform((text) => clean(text, most) || null)
    .nullable()
    .catch(null)
    .default(null);

/** An answer whose time is decades off counts as unknown. */
const time = z.iso
  .datetime()
  .transform((iso) => new Date(iso))
  .refine((date) => date.getUTCFullYear() >= 2000 && date.getUTCFullYear() < 2100);

/** A character that no code has becomes `_`, so that no broken code looks like a known one. */
const declineCode = z
  .string()
  .min(1)
  .transform((code) => code.slice(0, MOST_CODE).replaceAll(/[^\w.-]/g, '_'));

const bankOfCard = shown(MOST_TEXT).pipe(z.string());
const said = { time, authCode: shown(MOST_CODE), resultCode: shown(MOST_CODE), text: shown(MOST_TEXT) };
/** Only a sale has an amount and a card. An invalid one counts as absent. */
const charged = z.object({
  ...approved.shape,
  ...said,
  amount: approved.shape.amount.catch(undefined),
  card: z
    .object({
      ...tokenized.pick({ lastFourDigits: true, network: true, fundingSource: true }).shape,
      issuingBank: bankOfCard,
    })
    .optional()
    .catch(undefined),
});
const moved = charged.omit({ amount: true, card: true });
/** An invalid `captureBefore` counts as absent: the acquirer releases the money when it does, whatever we read. */
const authorized = moved.extend({ captureBefore: time.nullable().catch(null) });

const saved = z.object({
  ...tokenized.shape,
  reference: identifier.nullable().default(null),
  ...said,
  token: identifier.transform((token) => new Secret(token)),
  issuingBank: bankOfCard,
});
const notMoved = z.object({
  ...declined.shape,
  declineCode,
  reference: identifier.nullable().catch(null).default(null),
  ...said,
});
/** The bank keeps no record of a refused tokenization, so that decline has no time of its own. */
const notSaved = notMoved.extend({ time: time.optional().transform((given) => given ?? new Date()) });

/** Reads the bank's answer to an operation of this kind. */
export function readAnswer(kind: BankRequest['kind'], json: unknown): Approved | Declined | { outcome: 'unknown' } {
  if (kind !== 'tokenize') {
    const approval = kind === 'authorize' ? authorized : kind === 'sale' ? charged : moved;
    const read = z.discriminatedUnion('outcome', [approval, notMoved]).safeParse(json);
    return read.success ? read.data : { outcome: 'unknown' };
  }
  const read = z.discriminatedUnion('outcome', [saved, notSaved]).safeParse(json);
  if (!read.success) return { outcome: 'unknown' };
  if (read.data.outcome === 'declined') return read.data;
  const { token, lastFourDigits, network, fundingSource, issuingBank, ...rest } = read.data;
  return { ...rest, vaulted: { token, lastFourDigits, network, fundingSource, issuingBank } };
}

/** Reads an answer other than 200. Only the two problems that say that nothing was done, and never will be, are believed. */
export function readProblem(status: number, json: unknown): BankAnswer {
  const read = problemBody.safeParse(json);
  if (!read.success || problems[read.data.error][0] !== status) return { outcome: 'unknown' };
  return readings[read.data.error]?.(clean(read.data.message, MOST_TEXT)) ?? { outcome: 'unknown' };
}

const readings: { [P in Problem]?: (message: string) => BankAnswer } = {
  retry: () => ({ outcome: 'retry' }),
  refused: (text) => {
    const unsaid = { reference: null, time: new Date(), authCode: null, resultCode: null };
    return { outcome: 'declined', declineCode: 'refused', ...unsaid, text };
  },
};

/** Reads the bank's answer to an inquiry about an operation of this kind. */
export function readInquiryAnswer(kind: BankRequest['kind'], json: unknown): InquiryAnswer {
  const missing = z.object(notFound.shape).safeParse(json);
  return missing.success ? missing.data : readAnswer(kind, json);
}

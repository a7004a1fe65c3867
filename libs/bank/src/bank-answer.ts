import { approved, declined, notFound, tokenized } from '@cobro/contracts/acquirer/answers.ts';
import { identifier } from '@cobro/contracts/acquirer/operation-requests.ts';
import { type Problem, problemBody, problems } from '@cobro/contracts/acquirer/problems.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { z } from 'zod';
import type { Approved, BankAnswer, BankRequest, Declined, InquiryAnswer } from './bank.ts';

/**
 * The bank's answers are input. What decides (outcome, reference, time, token) has to be there and well-formed, or the whole
 * answer counts as unknown. What is only shown or kept is cleaned and cut, where it is not as the contract has it.
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

const bankOfCard = shown(MOST_TEXT).pipe(z.string());
const said = { time, authCode: shown(MOST_CODE), resultCode: shown(MOST_CODE), text: shown(MOST_TEXT) };
/** Of a sale alone the amount and the card count. What is none counts as not said. */
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
/** One that is no time counts as not said: the acquirer lets go when it does, whatever we have read. */
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

/** What the bank said to an operation of this kind. */
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

/** What an answer means that is no 200. Only the two that say that nothing was done, and nothing ever will be, are believed. */
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

/** What the bank said when it was asked what became of an operation of this kind. */
export function readInquiryAnswer(kind: BankRequest['kind'], json: unknown): InquiryAnswer {
  const missing = z.object(notFound.shape).safeParse(json);
  return missing.success ? missing.data : readAnswer(kind, json);
}

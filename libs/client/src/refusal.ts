import type { RefusalStatus } from './api.ts';

/** Every code of the API's refusals. */
export type RefusalCode = keyof RefusalStatus;

interface Said {
  message: string;
  /** Sending the request again may help after this time; undefined if the API named none. */
  retryAfterMs: number | undefined;
}

/** Which field is wrong, and why. */
interface Invalid {
  details?: readonly { path: string; message: string }[];
}

/** Why the bank declined, and the payment that it declined. */
interface Declined {
  declineCode: string;
  /** Null if there is none, because the bank's vault refused the card. */
  paymentId?: string | null;
}

type More<Code extends RefusalCode> = Code extends 'VALIDATION_ERROR'
  ? Invalid
  : RefusalStatus[Code] extends 402
    ? Declined
    : unknown;

/** A refusal of the API. `code` distinguishes the members of the union. */
export type Refusal<Code extends RefusalCode = RefusalCode> = Code extends RefusalCode
  ? { code: Code; status: RefusalStatus[Code] } & Said & More<Code>
  : never;

/** How a request ended. `lost`: no answer came, so it may have been carried out or not. */
export type Result<T, Code extends RefusalCode = RefusalCode> =
  | { kind: 'done'; status: number; value: T; replayed: boolean }
  | { kind: 'refused'; refusal: Refusal<Code> }
  | { kind: 'lost'; why: string };

/** The API refused the request. */
export class RefusalError<Code extends RefusalCode = RefusalCode> extends Error {
  override readonly name = 'RefusalError';
  readonly refusal: Refusal<Code>;
  constructor(refusal: Refusal<Code>) {
    super(`${refusal.code}: ${refusal.message}`);
    this.refusal = refusal;
  }
}

/** No answer came to any attempt. Send the request again with the same externalId, or read what became of it. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/** @throws RefusalError, NoAnswerError */
export function valueOf<T, Code extends RefusalCode>(result: Result<T, Code>): T {
  if (result.kind === 'done') return result.value;
  throw result.kind === 'refused' ? new RefusalError(result.refusal) : new NoAnswerError(result.why);
}

import type { RefusalStatus } from './api.ts';

/** Every code with which the API says no. */
export type RefusalCode = keyof RefusalStatus;

interface Said {
  message: string;
  /** After which time sending it again may help; undefined where the API named none. */
  retryAfterMs: number | undefined;
}

/** Which field is wrong, and why. */
interface Invalid {
  details?: readonly { path: string; message: string }[];
}

/** What the bank said, and the payment that it said it about. */
interface Declined {
  declineCode: string;
  /** Null where there is none, because the card's own vault refused it. */
  paymentId?: string | null;
}

type More<Code extends RefusalCode> = Code extends 'VALIDATION_ERROR'
  ? Invalid
  : RefusalStatus[Code] extends 402
    ? Declined
    : unknown;

/** A no of the API. `code` distinguishes the members of the union. */
export type Refusal<Code extends RefusalCode = RefusalCode> = Code extends RefusalCode
  ? { code: Code; status: RefusalStatus[Code] } & Said & More<Code>
  : never;

/** How a request ended. `lost`: no answer came, so that nobody knows whether it was carried out. */
export type Result<T, Code extends RefusalCode = RefusalCode> =
  | { kind: 'done'; status: number; value: T; replayed: boolean }
  | { kind: 'refused'; refusal: Refusal<Code> }
  | { kind: 'lost'; why: string };

/** The API said no. */
export class RefusalError<Code extends RefusalCode = RefusalCode> extends Error {
  override readonly name = 'RefusalError';
  readonly refusal: Refusal<Code>;
  constructor(refusal: Refusal<Code>) {
    super(`${refusal.code}: ${refusal.message}`);
    this.refusal = refusal;
  }
}

/** No answer came, however often it was asked. Send it again with the same externalId, or read what became of it. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/** @throws RefusalError, NoAnswerError */
export function valueOf<T, Code extends RefusalCode>(result: Result<T, Code>): T {
  if (result.kind === 'done') return result.value;
  throw result.kind === 'refused' ? new RefusalError(result.refusal) : new NoAnswerError(result.why);
}

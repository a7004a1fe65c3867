import type { Capabilities } from '@cobro/contracts/acquirer/capabilities.ts';
import type { SentOperation } from '@cobro/contracts/acquirer/operation-requests.ts';
import type { BankTransaction } from '@cobro/contracts/events.ts';
import type { CardInput, TappedCard } from '@cobro/contracts/payment-methods.ts';
import type { Secret } from '@cobro/contracts/secret.ts';

/** What we ask of the bank. Amounts are centavos; references are the bank's own. */
export type BankRequest =
  | ({ kind: 'tokenize' } & CardToExchange)
  | ({ kind: 'authorize' } & ChargeOfCard)
  /** `terms` is the number of monthly installments, 1 for a single payment. */
  | ({ kind: 'sale'; terms: number; recurring?: true } & ChargeOfCard)
  | { kind: 'capture'; authorization: string; amount: bigint }
  | { kind: 'void'; authorization: string }
  | { kind: 'refund'; original: string; amount: bigint };

/** A card to exchange for a token: for one charge, or to keep with a saved card. */
export type CardToExchange = { card: CardInput; use: 'once' | 'saved' } | { card: TappedCard; use: 'once' };

export interface ChargeOfCard {
  token: Secret<string>;
  amount: bigint;
  initiatedBy: SentOperation['sale']['initiatedBy'];
  organizationId: string;
}

/** What is shown of a card. */
export interface ShownCard {
  lastFourDigits: string;
  network: string;
  fundingSource: string;
  issuingBank: string;
}
export type VaultedCard = ShownCard & { token: Secret<string> };

/** Texts are cleaned and cut, so that they can be kept: no control characters, no half of a surrogate pair. */
interface Said {
  /** Printable ASCII. Null for a tokenization, and for a decline that has none. */
  reference: string | null;
  /** When the bank decided, by the bank's clock. */
  time: Date;
  authCode: string | null;
  resultCode: string | null;
  text: string | null;
}

export type Approved = Said & {
  outcome: 'approved';
  vaulted?: VaultedCard;
  /** Only for a sale, in centavos: the amount in the bank's record, if the bank sends it. */
  amount?: number | undefined;
  /** Only for a sale: the card in the bank's record, if the bank sends it. */
  card?: ShownCard | undefined;
  /** Only for an authorization: when the network releases the money. Null if the bank does not send it. */
  captureBefore?: Date | null;
};
export type Declined = Said & { outcome: 'declined'; declineCode: string };

/**
 * `unknown`: the bank may have acted. `unreachable`: provably nothing was sent. `retry`: the bank has done nothing and closed the key,
 * and may be asked again under another key. None of these is a decline.
 */
export type BankAnswer =
  | Approved
  | Declined
  | { outcome: 'unknown' }
  | { outcome: 'unreachable' }
  | { outcome: 'retry' };

/** `not_found` is final only if the bank closed the key, because the bank then refuses that key for ever. */
export type InquiryAnswer = Exclude<BankAnswer, { outcome: 'retry' }> | { outcome: 'not_found'; closed: boolean };

/**
 * The connections of a call: those of requests, or those of timed work. Neither waits for the other. A route's lane is another thing.
 */
export type Lane = 'live' | 'background';

export interface Bank {
  /**
   * Money moves once for one key, and the same key gets the same answer. Resolves before the deadline (a `performance.now()`
   * value) and never rejects.
   */
  send(key: string, request: BankRequest, deadline: number, lane: Lane): Promise<BankAnswer>;
  /** Asks, on connections of its own, what became of the operation of this kind with this key. */
  inquire(key: string, kind: BankRequest['kind'], close: boolean): Promise<InquiryAnswer>;
  /** What the bank can do. Undefined without a valid answer. */
  capabilities(): Promise<Capabilities | undefined>;
  close(): Promise<void>;
}

/** The bank's answer as events and the partner list show it. */
export function transactionOf(answer: Approved | Declined): BankTransaction {
  return {
    bankReference: answer.reference,
    authCode: answer.authCode,
    resultCode: answer.resultCode,
    rawResponseText: answer.text,
    authResult: answer.outcome === 'approved' ? 'APPROVED' : 'DECLINED',
    createdAt: answer.time,
  };
}

/** Stands for the bank's answer if it never saw the operation, or was not asked at all. */
export function notProcessed(at: Date): BankTransaction {
  return {
    bankReference: null,
    authCode: null,
    resultCode: null,
    rawResponseText: null,
    authResult: 'NOT_PROCESSED',
    createdAt: at,
  };
}

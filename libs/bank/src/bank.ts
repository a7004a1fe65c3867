import type { BankTransaction } from '@cobro/contracts/events.ts';
import type { CardInput } from '@cobro/contracts/payment-methods.ts';
import type { Secret } from '@cobro/contracts/secret.ts';

/** What the bank is asked. Amounts in centavos; references are the bank's own. */
export type BankRequest =
  | { kind: 'tokenize'; card: CardInput }
  | { kind: 'authorize'; token: Secret<string>; amount: bigint }
  /** `terms`: monthly installments, 1 for a single payment. */
  | { kind: 'sale'; token: Secret<string>; amount: bigint; terms: number }
  | { kind: 'capture'; authorization: string; amount: bigint }
  | { kind: 'void'; authorization: string }
  | { kind: 'refund'; original: string; amount: bigint };

export interface VaultedCard {
  token: Secret<string>;
  lastFourDigits: string;
  network: string;
  fundingSource: string;
  issuingBank: string;
}

interface Said {
  /** Null where the bank gave none: a tokenization. */
  reference: string | null;
  /** The bank's time of its decision. */
  time: Date;
  authCode: string | null;
  resultCode: string | null;
  text: string | null;
}

export type Approved = Said & { outcome: 'approved'; vaulted?: VaultedCard };
export type Declined = Said & { outcome: 'declined'; declineCode: string };

/** `unknown`: it may have happened. `unreachable`: provably nothing was sent. Neither is a decline. */
export type BankAnswer = Approved | Declined | { outcome: 'unknown' } | { outcome: 'unreachable' };

/** `not_found` is final only where the bank closed the key: it refuses that key from then on. */
export type InquiryAnswer = Approved | Declined | { outcome: 'unknown' } | { outcome: 'not_found'; closed: boolean };

/** Whose connections a call takes: those of requests that somebody waits for, or those of timed work. Neither waits for the other. */
export type Lane = 'live' | 'background';

export interface Bank {
  /** Same key, same answer, moved once. Settles before the deadline (a `performance.now()` value); never rejects. */
  send(key: string, request: BankRequest, deadline: number, lane: Lane): Promise<BankAnswer>;
  /** In the background. */
  inquire(key: string, close: boolean): Promise<InquiryAnswer>;
  close(): Promise<void>;
}

/** The bank's words as events and the partner list show them. */
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

/** For an attempt that the bank, asked later, had never seen. */
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

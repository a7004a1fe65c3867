import type { KnownDeclineCode } from '@cobro/contracts/acquirer/answers.ts';
import { passesLuhn } from '@cobro/contracts/card-data.ts';
import { issuerDayCloses } from '@cobro/domain/hold-window.ts';
import { cardExpired } from '@cobro/domain/mexico-city.ts';
import { issueOf, type Nature } from './card.rules.ts';

/** Every way in which the bank declines: ISO 8583 response code and the text that a receipt shows. */
export const declines = {
  do_not_honor: { resultCode: '05', text: 'DECLINADA' },
  insufficient_funds: { resultCode: '51', text: 'FONDOS INSUFICIENTES' },
  stolen_card: { resultCode: '43', text: 'TARJETA ROBADA' },
  expired_card: { resultCode: '54', text: 'TARJETA VENCIDA' },
  invalid_number: { resultCode: '14', text: 'TARJETA INVALIDA' },
  unsupported_network: { resultCode: '15', text: 'EMISOR NO SOPORTADO' },
  token_spent: { resultCode: '14', text: 'TARJETA INVALIDA' },
  unknown_token: { resultCode: '14', text: 'TARJETA INVALIDA' },
  unknown_reference: { resultCode: '25', text: 'OPERACION NO ENCONTRADA' },
  amount_exceeds_authorization: { resultCode: '61', text: 'MONTO EXCEDIDO' },
  amount_exceeds_captured: { resultCode: '61', text: 'MONTO EXCEDIDO' },
  not_captured: { resultCode: '12', text: 'TRANSACCION INVALIDA' },
  already_captured: { resultCode: '12', text: 'TRANSACCION INVALIDA' },
  already_voided: { resultCode: '12', text: 'TRANSACCION INVALIDA' },
  already_expired: { resultCode: '12', text: 'AUTORIZACION VENCIDA' },
  expired: { resultCode: '12', text: 'AUTORIZACION VENCIDA' },
  key_closed: { resultCode: '94', text: 'TRANSACCION CERRADA' },
} as const satisfies { [code in KnownDeclineCode]?: { resultCode: string; text: string } };
export type DeclineCode = keyof typeof declines;

/** A card in the vault. The expiry is the month printed on the card. */
export type Card = {
  nature: Nature;
  expiry: { month: number; year: number };
  /** The token is good for one charge: the card was present, or its holder pays once. */
  singleUse: boolean;
  spent: boolean;
};
export type AuthorizationState = 'open' | 'captured' | 'voided';
/** `amount` is in centavos; `authorizedAt` is business time. */
export type Authorization = { state: AuthorizationState; amount: bigint; authorizedAt: Date; nature: Nature };
/** What a sale or a capture moved, and how much of it was given back, in centavos. */
export type Settlement = { amount: bigint; refunded: bigint; nature: Nature };

/** 4 days and 18 hours, as some networks allow if the merchant initiates a charge. */
const SHORT_WINDOW_MS = 114 * 3_600_000;

/** When the network lets go of an authorization. */
const letsGoAt = ({ authorizedAt, nature }: Pick<Authorization, 'authorizedAt' | 'nature'>): Date =>
  nature === 'shortWindow' || nature === 'letGoEarly'
    ? new Date(authorizedAt.getTime() + SHORT_WINDOW_MS)
    : issuerDayCloses(authorizedAt);

/** That time in the answer to an authorization; null for the card whose authorization is let go early unannounced. */
export const captureBefore = (authorizedAt: Date, nature: Nature): string | null =>
  nature === 'letGoEarly' ? null : letsGoAt({ authorizedAt, nature }).toISOString();

/** A rule returns why the bank declines, or undefined if it approves. */
type Verdict = DeclineCode | undefined;

export function judgeTokenize(number: string, expiry: Card['expiry'], now: Date): Verdict {
  if (!passesLuhn(number)) return 'invalid_number';
  if (issueOf(number) === undefined) return 'unsupported_network';
  if (cardExpired(expiry, now)) return 'expired_card';
  return undefined;
}

/** Judges an authorization or a sale; the rules are the same. */
export function judgeCharge(card: Card | undefined, now: Date): Verdict {
  if (card === undefined) return 'unknown_token';
  if (card.spent) return 'token_spent';
  if (cardExpired(card.expiry, now)) return 'expired_card';
  if (card.nature === 'declined') return 'do_not_honor';
  if (card.nature === 'insufficientFunds') return 'insufficient_funds';
  if (card.nature === 'stolen') return 'stolen_card';
  return undefined;
}

export function judgeCapture(authorization: Authorization | undefined, amount: bigint, now: Date): Verdict {
  if (authorization === undefined) return 'unknown_reference';
  if (authorization.state === 'captured') return 'already_captured';
  if (authorization.state === 'voided') return 'already_voided';
  if (now >= letsGoAt(authorization)) return 'expired';
  if (amount > authorization.amount) return 'amount_exceeds_authorization';
  if (authorization.nature === 'captureDeclined') return 'do_not_honor';
  return undefined;
}

export function judgeVoid(authorization: Authorization | undefined, now: Date): Verdict {
  if (authorization === undefined) return 'unknown_reference';
  if (authorization.state === 'captured') return 'already_captured';
  if (authorization.state === 'voided') return 'already_voided';
  if (now >= letsGoAt(authorization)) return 'already_expired';
  return undefined;
}

/** Judges a refund. `original` names a settlement, or an authorization without a capture. */
export function judgeRefund(
  original: Settlement | undefined,
  authorization: Authorization | undefined,
  amount: bigint,
): Verdict {
  if (original === undefined) return authorization === undefined ? 'unknown_reference' : 'not_captured';
  if (original.refunded + amount > original.amount) return 'amount_exceeds_captured';
  if (original.nature === 'refundDeclined') return 'do_not_honor';
  return undefined;
}

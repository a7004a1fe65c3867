import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { OperationKind } from '@cobro/contracts/acquirer/operation-requests.ts';
import {
  captureBefore,
  declines,
  judgeCapture,
  judgeCharge,
  judgeRefund,
  judgeTokenize,
  judgeVoid,
  type DeclineCode,
} from './bank.rules.ts';
import { issueOf, natureOf } from './card.rules.ts';
import type { Ledger } from './ledger.store.ts';
import type { OperationRequest } from './requests.ts';

export type ExecuteDeps = { ledger: Ledger; now: () => Date };

/** Two requests with one key count as the same request if these facts are equal. */
export function identify(ledger: Ledger, request: OperationRequest) {
  const { kind } = request;
  const amount = 'amount' in request ? request.amount : null;
  return { kind, amount, terms: request.kind === 'sale' ? request.terms : null, subject: subjectOf(ledger, request) };
}

function subjectOf(ledger: Ledger, request: OperationRequest): string {
  switch (request.kind) {
    case 'tokenize':
      return [
        fingerprintOf(ledger, request.number.reveal()),
        `${request.expiry.month}/${request.expiry.year}`,
        ...(request.entryMode === null ? (request.singleUse ? ['once'] : []) : [request.entryMode]),
      ].join(' ');
    case 'authorize':
    case 'sale':
      return request.token;
    case 'capture':
    case 'void':
      return request.authorization;
    case 'refund':
      return request.original;
  }
}

/**
 * Judges the request as things stand now, moves the money if the bank approves, and writes both down in one transaction. Returns
 * the answer as JSON text, which every request with this key gets.
 */
export function execute(
  deps: ExecuteDeps,
  idempotencyKey: string,
  request: OperationRequest,
  toDecline: boolean,
): string {
  const { ledger } = deps;
  const now = deps.now();
  return ledger.inTransaction(() => {
    const reference = `${referencePrefix[request.kind]}_${randomUUID()}`;
    const declineCode = toDecline ? 'do_not_honor' : judge(ledger, request, now);
    const answered =
      declineCode === undefined
        ? approve(ledger, idempotencyKey, request, reference, now)
        : decline(declineCode, reference, now);
    const answer = JSON.stringify(answered);
    const { outcome } = answered;
    ledger.addOperation({ ...identify(ledger, request), idempotencyKey, outcome, reference, answer, createdAt: now });
    return answer;
  });
}

export const referencePrefix: Record<OperationKind, string> = {
  tokenize: 'tkz',
  authorize: 'aut',
  sale: 'sal',
  capture: 'cap',
  void: 'voi',
  refund: 'ref',
};

function judge(ledger: Ledger, request: OperationRequest, now: Date): DeclineCode | undefined {
  switch (request.kind) {
    case 'tokenize':
      return judgeTokenize(request.number.reveal(), request.expiry, now);
    case 'authorize':
    case 'sale':
      return judgeCharge(ledger.card(request.token), now);
    case 'capture':
      return judgeCapture(ledger.authorization(request.authorization), request.amount, now);
    case 'void':
      return judgeVoid(ledger.authorization(request.authorization), now);
    case 'refund': {
      const { original, amount } = request;
      return judgeRefund(ledger.settlement(original), ledger.authorization(original), amount);
    }
  }
}

/** Moves the money and returns the approval. */
export function approve(
  ledger: Ledger,
  idempotencyKey: string,
  request: OperationRequest,
  reference: string,
  now: Date,
) {
  switch (request.kind) {
    case 'tokenize':
      return tokenize(ledger, idempotencyKey, request, now);
    case 'authorize':
      ledger.addAuthorization(reference, request.token, request.amount, now);
      ledger.spendIfSingleUse(request.token);
      break;
    case 'sale':
      ledger.addSettlement(reference, request.token, request.amount);
      ledger.spendIfSingleUse(request.token);
      break;
    case 'capture':
      ledger.captureAuthorization(request.authorization, reference, request.amount);
      break;
    case 'void':
      ledger.voidAuthorization(request.authorization);
      break;
    case 'refund':
      ledger.addRefund(request.original, request.amount);
      break;
  }
  const outcome = 'approved' as const;
  const said = { reference, time: now.toISOString(), authCode: newAuthCode(), resultCode: '00', text: 'APROBADA' };
  if (request.kind === 'sale') {
    const card = ledger.shownCard(request.token);
    return { outcome, ...said, amount: Number(request.amount), ...(card && { card }) };
  }
  if (request.kind !== 'authorize') return { outcome, ...said };
  const { nature = 'approved' } = ledger.card(request.token) ?? {};
  return { outcome, ...said, captureBefore: captureBefore(now, nature) };
}

/** The answer of a declined operation. */
export function decline(declineCode: DeclineCode, reference: string, at: Date) {
  const outcome = 'declined' as const;
  const { resultCode, text } = declines[declineCode];
  return { outcome, declineCode, reference, time: at.toISOString(), authCode: null, resultCode, text };
}

/** Puts a card into the vault: its nature, expiry, last four digits and fingerprint, but not its number. */
function tokenize(
  ledger: Ledger,
  idempotencyKey: string,
  request: Extract<OperationRequest, { kind: 'tokenize' }>,
  now: Date,
) {
  const number = request.number.reveal();
  const { expiry, singleUse } = request;
  const issue = issueOf(number);
  if (issue === undefined) throw new Error('a card that nobody issues was judged good');
  const token = tokenOf(ledger, idempotencyKey);
  const lastFourDigits = number.slice(-4);
  const fingerprint = fingerprintOf(ledger, number);
  const card = { nature: natureOf(number), expiry, lastFourDigits, fingerprint };
  ledger.addCard(token, { ...card, ...issue, singleUse, spent: false });
  const outcome = 'approved' as const;
  return { outcome, token, lastFourDigits, ...issue, fingerprint, time: now.toISOString() };
}

/** The token of a card that was saved with this key. */
export const tokenOf = (ledger: Ledger, idempotencyKey: string): string =>
  `tok_${keyedHash(ledger, `token ${idempotencyKey}`)}`;

function fingerprintOf(ledger: Ledger, number: string): string {
  return keyedHash(ledger, `card ${number}`);
}

function keyedHash(ledger: Ledger, text: string): string {
  return createHmac('sha256', ledger.vaultKey).update(text).digest('hex').slice(0, 40);
}

/** Six characters, as issuers give them. */
function newAuthCode(): string {
  return randomBytes(4).readUInt32BE().toString(36).toUpperCase().padStart(6, '0').slice(-6);
}

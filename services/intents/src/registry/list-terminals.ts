import { pesosOf } from '@cobro/contracts/amount.ts';
import type { TerminalItem } from '@cobro/contracts/payment-intents.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listTerminals as contract } from '@cobro/contracts/routes/payment-intents.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { countTerminals, findListedTerminals, type ListedTerminal } from './terminal-list.store.ts';

/** GET /terminal: newest first. */
export async function listTerminals(
  { reads, clock }: Deps,
  { caller: { organizationId }, query: { page, pageSize } }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const part = { organizationId, now: clock.now(), offset: (page - 1) * pageSize, limit: pageSize };
  const [count, rows] = await reads.inTurn(organizationId, async () => [
    await countTerminals(reads, organizationId),
    await findListedTerminals(reads, part),
  ]);
  return ok({ count, page, pageSize, items: rows.map(shown) });
}

const shown = (row: ListedTerminal): TerminalItem => ({
  id: row.id,
  terminalCode: row.code,
  branch: named(row.branchId, row.branchName),
  salesperson: named(row.salespersonId, row.salespersonName),
  createdAt: row.createdAt.toISOString(),
  seenAt: row.seenAt?.toISOString() ?? null,
  openIntent: openIntentOf(row),
  lastOutcome: lastOutcomeOf(row),
});

const named = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' });

function openIntentOf(row: ListedTerminal): TerminalItem['openIntent'] {
  const { intentId, intentAmount, intentExternalId, intentCreatedAt, intentExpiresAt } = row;
  if (intentId === null || intentAmount === null || intentCreatedAt === null || intentExpiresAt === null) return null;
  return {
    id: intentId,
    amount: pesosOf(intentAmount),
    externalId: intentExternalId ?? '',
    isCharging: row.isCharging ?? false,
    createdAt: intentCreatedAt.toISOString(),
    expiresAt: intentExpiresAt.toISOString(),
  };
}

function lastOutcomeOf(row: ListedTerminal): TerminalItem['lastOutcome'] {
  const { lastIntentId, lastStatus, lastAmount, lastTappedAt, lastOperationCode } = row;
  if (lastIntentId === null || lastStatus === null || lastAmount === null || lastTappedAt === null) return null;
  return {
    outcome: lastStatus,
    paymentIntentId: lastIntentId,
    paymentId: row.lastPaymentId,
    amount: pesosOf(lastAmount),
    operationCode: lastOperationCode === null ? null : Number(lastOperationCode),
    declineCode: row.lastDeclineCode,
    tappedAt: lastTappedAt.toISOString(),
  };
}

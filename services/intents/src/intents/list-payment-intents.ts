import { pesosOf } from '@cobro/contracts/amount.ts';
import { COUNTED_INTENTS, INTENT_PAGE_RULE, type PaymentIntentItem } from '@cobro/contracts/payment-intents.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listPaymentIntents as contract } from '@cobro/contracts/routes/payment-intents.ts';
import { refuseField } from '@cobro/contracts/validation.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { findTerminalBySerial } from '../registry/terminal.store.ts';
import { countIntents, findListedIntents, type ListedIntent } from './intent-list.store.ts';
import { isExpired, ownCopyOfPayment } from './payment-intent.rules.ts';

/** GET /payment-intent: newest first. `count` is capped at 10,000, so that no list reads all of a long history. */
export async function listPaymentIntents(
  { reads, clock }: Deps,
  { caller: { organizationId }, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { page, pageSize, status, terminalCode } = query;
  const offset = (page - 1) * pageSize;
  if (offset >= COUNTED_INTENTS) throw refuseField('page', INTENT_PAGE_RULE);
  const [counted, rows] = await reads.inTurn(organizationId, async () => {
    const terminal =
      terminalCode === undefined ? undefined : await findTerminalBySerial(reads, organizationId, terminalCode);
    if (terminalCode !== undefined && terminal === undefined) throw new Refusal('TERMINAL_NOT_FOUND');
    const list = { organizationId, terminalId: terminal?.id, status };
    return [
      await countIntents(reads, list, COUNTED_INTENTS + 1),
      await findListedIntents(reads, list, offset, pageSize),
    ];
  });
  const count = Math.min(counted, COUNTED_INTENTS);
  const answer = ok({ count, page, pageSize, items: rows.map((row) => shown(row, clock.now())) });
  return counted > count ? { ...answer, headers: { 'X-Count-Capped': 'true' } } : answer;
}

const shown = (row: ListedIntent, now: Date): PaymentIntentItem => ({
  id: row.id,
  status: row.status,
  expired: isExpired(row, now),
  isCharging: row.chargingPaymentId !== null,
  amount: pesosOf(row.amount),
  currency: row.currency,
  externalId: row.externalId,
  redirectAppId: row.redirectAppId,
  terminalId: row.terminalId,
  terminalCode: row.serialNumber,
  supersededBy: row.supersededBy,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  paymentSummary: ownCopyOfPayment(row),
});

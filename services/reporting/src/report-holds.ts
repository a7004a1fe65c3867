import { pesosOf } from '@cobro/contracts/amount.ts';
import type { HeldPayment } from '@cobro/contracts/reports.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { reportHolds as contract } from '@cobro/contracts/routes/reports.ts';
import { holdDaysRemaining } from '@cobro/domain/hold-window.ts';
import { dayEnd, dayStart } from '@cobro/domain/mexico-city.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from './deps.ts';
import { type EndingOnDay, findOpenHolds, readEndings } from './hold-board.store.ts';
import type { PaymentRow } from './payment.row.ts';
import { developerPaymentItem } from './payment.rules.ts';

/** GET /report/hold */
export async function reportHolds(
  { reads: { merchants }, clock }: Deps,
  { caller: { organizationId }, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { limit, offset, endsOn } = query;
  const now = clock.now();
  const range = { from: endsOn && dayStart(endsOn), to: endsOn && dayEnd(endsOn) };
  const asked = { organizationId, now, limit, offset, from: range.from || undefined, to: range.to || undefined };
  const [days, rows] = await merchants.inTurn(organizationId, () =>
    Promise.all([readEndings(merchants, asked), findOpenHolds(merchants, asked)]),
  );
  return ok({ days: days.map((day) => dayOfBoard(day, now)), holds: rows.map((row) => heldPayment(row, now)) });
}

const EVER = new Date(0);

const dayOfBoard = ({ endsOn, firstEndsAt, lastEndsAt, holds, amount }: EndingOnDay, now: Date) => ({
  endsOn,
  daysRemaining: holdDaysRemaining(lastEndsAt, EVER, now),
  firstEndsAt: firstEndsAt.toISOString(),
  holds,
  amount: pesosOf(amount),
});

function heldPayment(row: PaymentRow, now: Date): HeldPayment {
  const { holdExpiresAt, captureBefore } = row;
  if (holdExpiresAt === null) throw new Error('held without an end');
  const endsAt = captureBefore !== null && captureBefore < holdExpiresAt ? captureBefore : holdExpiresAt;
  return {
    ...developerPaymentItem(row),
    endsAt: endsAt.toISOString(),
    daysRemaining: holdDaysRemaining(endsAt, row.heldAt ?? EVER, now),
  };
}

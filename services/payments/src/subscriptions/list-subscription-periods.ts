import { pesosOf } from '@cobro/contracts/amount.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listSubscriptionPeriods as contract } from '@cobro/contracts/routes/subscriptions.ts';
import { endsOn, startsOn } from '@cobro/domain/billing-periods.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { ownSubscription } from './own-subscription.ts';
import { amountOf, currentNumber, endByClock, factsOf, periodStatus } from './subscription.rules.ts';
import { findTriedPeriods } from './subscription.store.ts';

/** GET /subscription/{id}/period: newest first, up to now or to its end. */
export const listSubscriptionPeriods = (
  deps: Deps,
  input: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> => deps.reads.inTurn(input.caller.organizationId, () => readPage(deps, input));

async function readPage(
  { reads, clock }: Deps,
  { caller: { organizationId }, params: { id }, query: { page, pageSize } }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const now = clock.now();
  const row = await ownSubscription(reads, { organizationId, id, now });
  const endedAt = row.endedAt ?? endByClock(row, now)?.endedAt ?? now;
  const until = new Date(Math.min(now.getTime(), endedAt.getTime() - (endedAt < now ? 1 : 0)));
  const count = Math.max(currentNumber(row, until), row.latestNumber, row.standingNumber ?? 0);
  const to = count - (page - 1) * pageSize;
  const from = Math.max(1, to - pageSize + 1);
  const tried = new Map((await findTriedPeriods(reads, id, from, to)).map((period) => [period.number, period]));
  const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => to - i);
  const items = numbers.map((number) => {
    const period = tried.get(number);
    return {
      number,
      startsOn: startsOn(row, number),
      endsOn: endsOn(row, number),
      amount: pesosOf(amountOf(row, period)),
      status: periodStatus(row, number, factsOf(period), now),
      declines: period?.declines ?? 0,
      paymentId: period === undefined || period.status === 'NOT_INITIALIZED' ? null : period.paymentId,
    };
  });
  return ok({ count, page, pageSize, items });
}

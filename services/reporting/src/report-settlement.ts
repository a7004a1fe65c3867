import { pesosOf } from '@cobro/contracts/amount.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { reportSettlement as contract } from '@cobro/contracts/routes/settlements.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import { daysFrom, refundsOf, sumOf } from './day-report.rules.ts';
import { readDayParts } from './day-sum.store.ts';
import type { Deps } from './deps.ts';

/** GET /report/settlement: sums by the day on which money moved, as the bank deposits it. */
export async function reportSettlement(
  { reads: { merchants } }: Deps,
  { caller: { organizationId }, query: { from, to } }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const parts = await merchants.inTurn(organizationId, () =>
    readDayParts(merchants, ['settled', 'refunded'], { organizationId, from, to }),
  );
  const byDay = Map.groupBy(parts, ({ day }) => day);
  return ok({
    days: daysFrom(from, to).map((day) => {
      const { settled = [], refunded = [] } = Object.groupBy(byDay.get(day) ?? [], ({ moment }) => moment);
      const { payments, amount, fee, feeIva, promotionTake, take } = sumOf(settled);
      return {
        day,
        payments,
        amount: pesosOf(amount),
        fee: pesosOf(fee),
        feeIva: pesosOf(feeIva),
        promotionTake: pesosOf(promotionTake),
        take: pesosOf(take),
        refunds: refundsOf(refunded),
      };
    }),
  });
}

import { pesosOf } from '@cobro/contracts/amount.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { reportSettlement as contract } from '@cobro/contracts/routes/settlements.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import { daysFrom } from './day-report.rules.ts';
import { readRefundedDays, readSettledDays } from './day-sum.store.ts';
import type { Deps } from './deps.ts';

/** GET /report/settlement: by the days on which money moved, as the bank deposits it. */
export async function reportSettlement(
  { reads: { merchants } }: Deps,
  { caller: { organizationId }, query: { from, to } }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const range = { organizationId, from, to };
  const [settled, refunded] = await merchants.inTurn(organizationId, async () => [
    await readSettledDays(merchants, range),
    await readRefundedDays(merchants, range),
  ]);
  return ok({
    days: daysFrom(from, to).map((day) => {
      const one = settled.find((some) => some.day === day);
      const back = refunded.find((some) => some.day === day);
      return {
        day,
        payments: one?.payments ?? 0,
        amount: pesosOf(one?.amount ?? 0n),
        fee: pesosOf(one?.fee ?? 0n),
        feeIva: pesosOf(one?.feeIva ?? 0n),
        promotionTake: pesosOf(one?.promotionTake ?? 0n),
        take: pesosOf(one?.take ?? 0n),
        refunds: {
          payments: back?.payments ?? 0,
          amount: pesosOf(back?.amount ?? 0n),
          take: pesosOf(back?.take ?? 0n),
        },
      };
    }),
  });
}

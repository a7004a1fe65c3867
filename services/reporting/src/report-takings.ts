import { pesosOf } from '@cobro/contracts/amount.ts';
import type { Takings } from '@cobro/contracts/reports.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { reportTakings as contract } from '@cobro/contracts/routes/reports.ts';
import { dayEnd, dayInMexicoCity, dayStart } from '@cobro/domain/mexico-city.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from './deps.ts';
import { readTakings, type Taken } from './takings.store.ts';

/** GET /report/takings: sums for the day on which money moved, as a till is closed in the evening. */
export async function reportTakings(
  { reads: { merchants }, clock }: Deps,
  { caller: { organizationId }, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { day = dayInMexicoCity(clock.now()) } = query;
  const range = { organizationId, from: dayStart(day), to: dayEnd(day) };
  const taken = await merchants.inTurn(organizationId, () => readTakings(merchants, range));
  const [all] = taken.filter(({ by }) => by === 'ALL');
  const partsOf = (part: Taken['by']): Takings['branches'] =>
    taken.filter(({ by }) => by === part).map((one) => ({ id: one.id, name: one.name, ...sums(one) }));
  return ok({
    day,
    ...sums(all ?? { payments: 0, amount: 0n, refunds: 0, refunded: 0n }),
    salespeople: partsOf('SALESPERSON'),
    branches: partsOf('BRANCH'),
    terminals: partsOf('TERMINAL'),
  });
}

const sums = ({
  payments,
  amount,
  refunds,
  refunded,
}: Pick<Taken, 'payments' | 'amount' | 'refunds' | 'refunded'>) => ({
  payments,
  amount: pesosOf(amount),
  refunds: { payments: refunds, amount: pesosOf(refunded) },
});

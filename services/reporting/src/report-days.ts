import { FROM_RULE, MOST_DAYS, TO_RULE } from '@cobro/contracts/reports.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { reportDays as contract } from '@cobro/contracts/routes/reports.ts';
import { refuseField } from '@cobro/contracts/validation.ts';
import { dayEnd, dayInMexicoCity, dayStart } from '@cobro/domain/mexico-city.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import { daysFrom, reportedDay } from './day-report.rules.ts';
import { readDayParts, readHours } from './day-sum.store.ts';
import type { Deps } from './deps.ts';

/** GET /report/day: sums by the day on which payments were made (`createdAt`), refunds by their own day. */
export async function reportDays(
  { reads: { merchants }, clock }: Deps,
  { caller: { organizationId }, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const today = dayInMexicoCity(clock.now());
  const { to = query.from ?? today } = query;
  const { from = to } = query;
  const days = daysFrom(from, to);
  if (days.length === 0) throw refuseField('to', TO_RULE);
  if (days.length > MOST_DAYS) throw refuseField('from', FROM_RULE);
  const range = { organizationId, from, to };
  const [parts, hours] = await merchants.inTurn(organizationId, () =>
    Promise.all([
      readDayParts(merchants, ['made', 'refunded'], range),
      days.includes(today)
        ? readHours(merchants, { organizationId, from: dayStart(today), to: dayEnd(today) })
        : undefined,
    ]),
  );
  const byDay = Map.groupBy(parts, ({ day }) => day);
  return ok({
    days: days.map((day) => reportedDay(day, byDay.get(day) ?? [], day === today ? hours : undefined)),
  });
}

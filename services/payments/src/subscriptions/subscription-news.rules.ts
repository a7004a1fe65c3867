import type { SubscriptionChange } from '@cobro/contracts/events.ts';
import { numberAt } from '@cobro/domain/billing-periods.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import type { SubscriptionRow } from './subscription.row.ts';
import { nextBillingAt } from './subscription.rules.ts';

/** What was published of a subscription. A number is the highest period for which it was published. */
export interface Announced {
  created: boolean;
  paid: number;
  pastDue: number;
  end: boolean;
}

/** A change to publish. `periodNumber` is null if the change happens only once. */
export interface News {
  change: SubscriptionChange;
  periodNumber: number | null;
}

/** What is to be published now. `paid`: the periods above the announced one that were paid, in their order. */
export function newsOf(row: SubscriptionRow, said: Announced, paid: readonly number[]): News[] {
  const isChargedAtOnce = row.firstBillingDate === dayInMexicoCity(row.createdAt);
  const renewals = paid.filter((number) => number > 1 || !isChargedAtOnce);
  const isPastDue = row.isPastDue && row.latestNumber > said.pastDue;
  return [
    ...(row.isStarted && !said.created ? [{ change: 'created', periodNumber: null } as const] : []),
    ...renewals.map((periodNumber) => ({ change: wasPastDue(said, periodNumber), periodNumber })),
    ...(isPastDue ? [{ change: 'past_due', periodNumber: row.latestNumber } as const] : []),
    ...(row.endedAt !== null && !said.end
      ? [{ change: row.endReason === 'COMPLETED' ? 'completed' : 'cancelled', periodNumber: null } as const]
      : []),
  ];
}

const wasPastDue = ({ pastDue }: Announced, number: number): SubscriptionChange =>
  pastDue === number ? 'recovered' : 'renewed';

/** What will have been published once these news are. */
export const announcedAfter = (row: SubscriptionRow, said: Announced, paid: readonly number[]): Announced => ({
  created: said.created || row.isStarted,
  paid: Math.max(said.paid, ...paid),
  pastDue: row.isPastDue ? Math.max(said.pastDue, row.latestNumber) : said.pastDue,
  end: row.endedAt !== null,
});

const DAY_MS = 86_400_000;
/** A period that is due until this time is published now. */
export const renewingUntil = (now: Date): Date => new Date(now.getTime() + 3 * DAY_MS);

/** The period that is due within three days, and is not published yet. */
export function renewingNumber(row: SubscriptionRow, announced: number, now: Date): number | undefined {
  const at = nextBillingAt(row, now);
  if (row.status !== 'ACTIVE' || at === null || at <= now || at > renewingUntil(now)) return undefined;
  const number = numberAt(row, at);
  return number > announced ? number : undefined;
}

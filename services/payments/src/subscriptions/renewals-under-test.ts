import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { approvedCard } from '@cobro/testing/card-numbers.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestSubscriptions, testSubscriptions } from '@cobro/testing/test-subscriptions.ts';

export const codeOf = ({ status, body }: HttpAnswer): string =>
  `${status} ${(body as { code?: string }).code ?? ''}`.trim();
export const at = (day: string, time = '10:00') => `${day}T${time}:00-06:00`;

/** For tests of renewals: two replicas of payments beside holds, whose books agree with the bank's at the end. */
export function renewalsUnderTest() {
  let services: RunningServices;
  let subs: TestSubscriptions;
  beforeAll(async () => {
    services = await startServices({
      services: ['payments', 'holds'],
      env: { BANK_CALL_TIMEOUT_MS: '5000' },
      replicas: { payments: 2 },
    });
    subs = await testSubscriptions(services);
  });
  afterAll(async () => {
    await untilAgreed({ bankUrl: services.bank.url, payments: services.db('payments'), holds: services.db('holds') });
    await services.stop();
  });
  // Subscriptions of an earlier test would be charged on the days of the next.
  beforeEach(() =>
    services.db('payments').run(sql`
    update subscription set ended_at = ${services.now()}, end_reason = 'MERCHANT', version = version + 1 where ended_at is null`),
  );

  let lastCard = 200_000;
  return {
    services: () => services,
    subs: () => subs,
    goodCard: async () => (await subs.card(approvedCard(++lastCard))).id,
    numbersOf: async (subscription: Pick<Subscription, 'id'>, status = 'CONFIRMED') =>
      (await subs.payments(subscription)).filter((payment) => payment.status === status).map(({ number }) => number),
    statusesOf: async (subscription: Pick<Subscription, 'id'>) =>
      (await subs.periods(subscription)).toReversed().map(({ status }) => status),
    dayIn: (days: number) => new Date(services.now().getTime() + days * 86_400_000).toISOString().slice(0, 10),
    /** Ends the pause before its next try, or its lease. */
    itsPauseIsOver: ({ id }: Pick<Subscription, 'id'>) =>
      services.db('payments').run(sql`update subscription set try_at = clock_timestamp() where id = ${id}`),
    /** Moves the clock there, and waits until all is done that is due. */
    visit: async (day: string, time?: string) => {
      await subs.moveTo(at(day, time));
      await subs.settled();
    },
  };
}

import type { Subscription, SubscriptionPeriod } from '@cobro/contracts/subscriptions.ts';
import { sql } from '@cobro/postgres/database.ts';
import { patiently } from './patiently.ts';
import type { RunningServices } from './start-services.ts';
import { type TestMerchant, testMerchant } from './test-merchant.ts';
import { until } from './until.ts';

type Of = Pick<Subscription, 'id'>;

/** A payment of a subscription's period, as payments keeps it. */
export interface PaymentOfPeriod {
  id: string;
  number: number;
  status: string;
  amount: bigint;
  declineCode: string | null;
  createdAt: Date;
}

export type TestSubscriptions = Awaited<ReturnType<typeof testSubscriptions>>;

/** A merchant of subscriptions. */
export async function testSubscriptions(
  services: RunningServices,
  options: { replica?: number; merchant?: TestMerchant } = {},
) {
  const merchant = options.merchant ?? (await testMerchant(services));
  const { replica = 0 } = options;
  const db = services.db('payments');
  const ask = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    merchant.call({ method, path, replica, headers, ...(body && { body }) });
  /** `body` is added to 349 a month, and to a new card unless it names one. */
  const post = async (body: object = {}, headers: Record<string, string> = {}) => {
    const given = body as { paymentMethodId?: string };
    const paymentMethodId = given.paymentMethodId ?? (await merchant.saveCard()).id;
    const asked = { ...('productId' in body ? {} : { amount: 349 }), periodicity: 'MONTHLY', ...body, paymentMethodId };
    return ask('POST', '/subscription', asked, headers);
  };
  const get = async ({ id }: Of) => {
    const answer = await patiently(() => ask('GET', `/subscription/${id}`));
    return answer.body as Subscription;
  };
  return {
    merchant,
    card: merchant.saveCard,
    post,
    /** Like `post`. @throws if the answer is not 201 */
    create: async (body?: object) => {
      const answer = await patiently(() => post(body));
      if (answer.status !== 201) throw new Error(`no subscription: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body as Subscription;
    },
    get,
    act: ({ id }: Of, action: string, body: object = {}) => ask('POST', `/subscription/${id}/${action}`, body),
    change: ({ id }: Of, body: object) => ask('PATCH', `/subscription/${id}`, body),
    periods: async ({ id }: Of) =>
      ((await ask('GET', `/subscription/${id}/period`)).body as { items: SubscriptionPeriod[] }).items,
    payments: ({ id }: Of) =>
      db.many<PaymentOfPeriod>(sql`
        select id, period_number as number, status, amount, decline_code as "declineCode", created_at as "createdAt"
        from payment where subscription_id = ${id} order by created_at, id`),
    /** Waits until it reads like this. */
    becomes: async (subscription: Of, like: Partial<Subscription>) => {
      let last: Subscription | undefined;
      const wanted = Object.entries(like) as [keyof Subscription, unknown][];
      const seen = () => `${JSON.stringify(like)}, last ${JSON.stringify(last)}`;
      await until(seen, async () => {
        last = await get(subscription);
        return wanted.every(([name, value]) => JSON.stringify(last?.[name]) === JSON.stringify(value));
      });
      return last as Subscription;
    },
    /** Moves the business clock to this time, from which some milliseconds have passed when it resolves. */
    moveTo: (time: Date | string) => services.moveClock(new Date(time).getTime() - services.now().getTime()),
    /** Waits until no subscription has work due now. */
    settled: async () => {
      await until('all subscriptions have been looked after', async () => {
        const { waiting } = await db.one<{ waiting: number }>(sql`
          select count(*)::int as waiting from subscription
          where ended_at is null and is_started and (wake_at <= ${services.now()} or waits_for is not null or exists (
            select from payment where subscription_id = subscription.id and payment.status = 'PENDING'))`);
        return waiting === 0;
      });
    },
  };
}

import type { PaymentMethod } from '@cobro/contracts/payment-methods.ts';
import type { Subscription, SubscriptionPeriod } from '@cobro/contracts/subscriptions.ts';
import { sql } from '@cobro/postgres/database.ts';
import { patiently } from './patiently.ts';
import type { HttpAnswer, RunningServices } from './start-services.ts';
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

/** A merchant of subscriptions. */
export interface TestSubscriptions {
  merchant: TestMerchant;
  card(number?: string): Promise<PaymentMethod>;
  /** POST /subscription. `body` is added to 349 a month, and to a new card unless it names one. */
  post(body?: object, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** The same. @throws where the answer is not 201 */
  create(body?: object): Promise<Subscription>;
  get(subscription: Of): Promise<Subscription>;
  /** POST …/{action}. */
  act(subscription: Of, action: string, body?: object): Promise<HttpAnswer>;
  change(subscription: Of, body: object): Promise<HttpAnswer>;
  periods(subscription: Of): Promise<SubscriptionPeriod[]>;
  payments(subscription: Of): Promise<PaymentOfPeriod[]>;
  /** Waits until it reads like this. */
  becomes(subscription: Of, like: Partial<Subscription>): Promise<Subscription>;
  /** Moves the business clock to this time, from which some milliseconds have passed when it resolves. */
  moveTo(time: Date | string): Promise<void>;
  /** Waits until every subscription has been looked after as of now. */
  settled(): Promise<void>;
}

export async function testSubscriptions(
  services: RunningServices,
  options: { replica?: number; merchant?: TestMerchant } = {},
): Promise<TestSubscriptions> {
  const merchant = options.merchant ?? (await testMerchant(services));
  const { replica = 0 } = options;
  const db = services.db('payments');
  const ask = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    merchant.call({ method, path, replica, headers, ...(body && { body }) });
  const post = async (body: { paymentMethodId?: string } = {}, headers: Record<string, string> = {}) => {
    const paymentMethodId = body.paymentMethodId ?? (await merchant.saveCard()).id;
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
    create: async (body) => {
      const answer = await patiently(() => post(body));
      if (answer.status !== 201) throw new Error(`no subscription: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body as Subscription;
    },
    get,
    act: ({ id }, action, body = {}) => ask('POST', `/subscription/${id}/${action}`, body),
    change: ({ id }, body) => ask('PATCH', `/subscription/${id}`, body),
    periods: async ({ id }) =>
      ((await ask('GET', `/subscription/${id}/period`)).body as { items: SubscriptionPeriod[] }).items,
    payments: ({ id }) =>
      db.many<PaymentOfPeriod>(sql`
        select id, period_number as number, status, amount, decline_code as "declineCode", created_at as "createdAt"
        from payment where subscription_id = ${id} order by created_at, id`),
    becomes: async (subscription, like) => {
      let last: Subscription | undefined;
      const wanted = Object.entries(like) as [keyof Subscription, unknown][];
      await until(`${JSON.stringify(like)}, last ${JSON.stringify(last)}`, async () => {
        last = await get(subscription);
        return wanted.every(([name, value]) => JSON.stringify(last?.[name]) === JSON.stringify(value));
      });
      return last as Subscription;
    },
    moveTo: (time) => services.moveClock(new Date(time).getTime() - services.now().getTime()),
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

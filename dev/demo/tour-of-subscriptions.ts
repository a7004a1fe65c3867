import type { Client } from '@cobro/client/merchant.ts';
import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import type { Merchant } from './merchant.ts';
import { faint, heading, say } from './print.ts';
import { until } from './until.ts';

const MINUTE_MS = 60_000;

/** A card that is charged each week: three renewals, one that the bank declines, and its retry. */
export async function takeTourOfSubscriptions(
  merchant: Merchant,
  { card, clockUrl, bankUrl }: { card: string; clockUrl: string; bankUrl: string | undefined },
): Promise<void> {
  heading('A subscription: a saved card that is charged once a week');
  const plan = { paymentMethodId: card, amount: 199, periodicity: 'WEEKLY', description: 'Pan de la semana' } as const;
  const create = ({ subscriptions }: Client) => subscriptions.create({ ...plan, externalId: 'contract-77' });
  const { id } = await merchant(201, create, 'status', 'amount', 'nextBillingAt');
  await merchant(201, create, 'status');

  const shown = ['status', 'currentPeriod.number', 'currentPeriod.status', 'nextBillingAt', 'nextRetryAt'];
  const get = ({ subscriptions }: Client) => subscriptions.get(id);
  const untilIs = (is: (one: Subscription) => boolean) => until(async () => is(await merchant(200, get, ...shown)));
  const read = () => merchant(200, get, 'status');
  const moveTo = async (time: string | null) => {
    const now = new Date(Date.parse(time ?? '') + MINUTE_MS).toISOString();
    await fetch(clockUrl, { method: 'PUT', body: JSON.stringify({ now }) });
    say(`  ${faint(`the clock of every process now says ${now}`)}`);
  };

  heading('Three renewals');
  for (const number of [2, 3, 4]) {
    await moveTo((await read()).nextBillingAt);
    await untilIs(({ currentPeriod }) => currentPeriod?.number === number && currentPeriod.status === 'PAID');
  }
  if (bankUrl !== undefined) {
    heading('A renewal that the bank declines, and its retry a day later');
    const faults = { next: [{ kind: 'sale', fault: 'decline' }] };
    await fetch(`${bankUrl}/faults`, { method: 'PUT', body: JSON.stringify(faults) });
    await moveTo((await read()).nextBillingAt);
    await untilIs(({ status }) => status === 'PAST_DUE');
    await moveTo((await read()).nextRetryAt);
    await untilIs(({ status }) => status === 'ACTIVE');
  }
  await merchant(200, ({ subscriptions }) => subscriptions.periods(id), 'count', 'items');
  await merchant(200, ({ subscriptions }) => subscriptions.pause(id), 'status', 'nextBillingAt');
  await merchant(200, ({ subscriptions }) => subscriptions.resume(id), 'status', 'nextBillingAt');
  await merchant(200, ({ subscriptions }) => subscriptions.cancel(id), 'status', 'endReason');
  const query = { status: 'CANCELLED' } as const;
  await merchant(200, ({ subscriptions }) => subscriptions.list(query), 'count', 'items');
  await merchant(200, ({ call }) => call('listDeveloperPayments', { query: { subscriptionId: id } }), 'data');
}

import '@cobro/testing/check-answers.ts';
import { newEvent } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { outwardEvent, outwardTypes } from '@cobro/contracts/outward-events.ts';
import type { WebhookDelivery } from '@cobro/contracts/webhook-requests.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { Job } from '@cobro/service-kit/job.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { merchant, paymentFacts } from '@cobro/testing/test-facts.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { startWebhooks } from '../webhooks-under-test.ts';
import { deliverToEndpoints } from './deliver-to-endpoints.job.ts';
import { pruneDeliveries } from './prune-deliveries.job.ts';
import { testReceiver } from '@cobro/testing/test-receiver.ts';

let webhooks: Awaited<ReturnType<typeof startWebhooks>>;
let job: Job;
const receivers: Awaited<ReturnType<typeof testReceiver>>[] = [];
beforeAll(async () => {
  webhooks = await startWebhooks();
  job = deliverToEndpoints(webhooks.deps);
});
afterEach(() => webhooks.setNow(NOON));
afterAll(async () => {
  for (const receiver of receivers) await receiver.close();
  await job?.stop();
  await webhooks?.close();
});

const NOON = '2026-11-20T18:00:00.000Z';
const after = (ms: number) => new Date(Date.parse(NOON) + ms).toISOString();
const MINUTE = 60_000;
const DAY = 86_400_000;
const SLOWEST_MS = inFull ? 14_900 : 1_000;

interface Endpoint {
  id: string;
  status: string;
  secret: string;
  failingSince: string | null;
  lastDeliveryAt: string | null;
}

/** A merchant with a receiver of its own. */
async function shop(types: string[] = ['payment.*']) {
  const organizationId = newId();
  const receiver = await testReceiver();
  receivers.push(receiver);
  const send = async (method: string, path: string, body?: object) =>
    webhooks.send(merchant(organizationId), method, `/webhook-endpoint${path}`, body);
  const { status, body } = await send('POST', '', { url: receiver.url, types });
  expect(status).toBe(201);
  const endpoint = body as Endpoint;
  const paid = async (): Promise<string> => {
    const data = { ...paymentFacts({ organizationId }), confirmedAt: webhooks.now() };
    const of = { subject: data.paymentId, sequence: 1, time: webhooks.now() };
    await webhooks.receive(newEvent('PaymentConfirmed', { ...of, data }));
    return data.paymentId;
  };
  const log = async (query = '') =>
    (await send('GET', `/${endpoint.id}/delivery?${query}`)).body as {
      data: WebhookDelivery[];
      pagination: { nextCursor: string | null };
    };
  const read = async () => (await send('GET', `/${endpoint.id}`)).body as Endpoint;
  return { organizationId, receiver, endpoint, send, paid, log, read };
}
type Shop = Awaited<ReturnType<typeof shop>>;

const wrongAnswers: Record<string, Exclude<Parameters<Shop['receiver']['answers']>[0], number>> = {
  'hangs up': (_received, _res, req) => void req.socket.destroy(),
  redirects: (_received, res) => void res.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
};

const came = (one: Shop, count: number) =>
  until(`${count} requests have come`, async () => one.receiver.received.length >= count);
/** Waits until this many tries of the only delivery are written down. */
async function triedOnly(one: Shop, attempts: number): Promise<WebhookDelivery> {
  await until(`${attempts} tries are written down`, async () => (await one.log()).data[0]?.attempts === attempts);
  return (await one.log()).data[0] as WebhookDelivery;
}

describe('an event', () => {
  test('comes to each endpoint that asked for its type, signed as Standard Webhooks says', async () => {
    const [one, other] = [await shop(), await shop(['hold.*'])];
    const id = await one.paid();
    await other.paid();
    await came(one, 1);
    const [request] = one.receiver.received;
    if (request === undefined) throw new Error('nothing came');
    expect(new Webhook(one.endpoint.secret).verify(request.body, request.headers)).toMatchObject({ object: { id } });
    expect(() => new Webhook(other.endpoint.secret).verify(request.body, request.headers)).toThrow('signature');
    expect(outwardEvent.parse(request.event)).toMatchObject({
      type: 'payment.confirmed',
      organizationId: one.organizationId,
    });
    expect(request.headers).toMatchObject({ 'webhook-id': request.event.id, 'content-type': 'application/json' });
    expect(await triedOnly(one, 1)).toMatchObject({ status: 'DELIVERED', responseStatus: 200, nextAttemptAt: null });
    expect(await one.read()).toMatchObject({ status: 'ENABLED', failingSince: null, lastDeliveryAt: NOON });
    expect(other.receiver.received).toEqual([]);
    expect((await other.log()).data).toEqual([]);
  });

  test('that is refused is tried by the table until it is taken; then what failed before comes at once', async () => {
    const one = await shop();
    one.receiver.answers(500);
    await one.paid();
    const first = await triedOnly(one, 1);
    expect(first).toMatchObject({ status: 'PENDING', responseStatus: 500, responseBody: 'no thanks', error: null });
    const pauseOf = ({ nextAttemptAt }: WebhookDelivery, since: string) =>
      Date.parse(nextAttemptAt ?? '') - Date.parse(since);
    expect(pauseOf(first, NOON)).toBeGreaterThanOrEqual(4_000);
    expect(pauseOf(first, NOON)).toBeLessThanOrEqual(6_000);
    webhooks.setNow(after(6_000));
    const second = await triedOnly(one, 2);
    expect(pauseOf(second, after(6_000))).toBeGreaterThanOrEqual(0.8 * MINUTE);
    expect(pauseOf(second, after(6_000))).toBeLessThanOrEqual(1.2 * MINUTE);
    await one.paid();
    await until('both have failed', async () =>
      (await one.log('status=PENDING')).data.every(({ attempts }) => attempts > 0),
    );
    expect(await one.read()).toMatchObject({ failingSince: NOON });
    one.receiver.answers(204);
    await one.paid();
    await until('all are delivered', async () => (await one.log('status=DELIVERED')).data.length === 3);
    expect(await one.read()).toMatchObject({ failingSince: null, status: 'ENABLED' });
    const ids = new Set(one.receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(3);
  });

  test('is not sent again sooner than its endpoint asks', async () => {
    const one = await shop();
    one.receiver.answers((_received, res) => void res.writeHead(429, { 'retry-after': '3600' }).end());
    await one.paid();
    expect(await triedOnly(one, 1)).toMatchObject({ nextAttemptAt: after(60 * MINUTE) });
  });

  test.each(Object.entries(wrongAnswers))('whose endpoint %s is tried again', async (_what, answer) => {
    const one = await shop();
    one.receiver.answers(answer);
    await one.paid();
    expect(await triedOnly(one, 1)).toMatchObject({ status: 'PENDING' });
    one.receiver.answers(200);
    webhooks.setNow(after(6_000));
    expect(await triedOnly(one, 2)).toMatchObject({ status: 'DELIVERED' });
  });

  test('whose endpoint is away for three days, in whichever way, comes in the end, and no other endpoint waits', async () => {
    const away = [500, ...Object.values(wrongAnswers)];
    const shops = await Promise.all(away.map(() => shop()));
    shops.forEach((one, i) => one.receiver.answers(away[i] ?? 500));
    await Promise.all(shops.map((one) => one.paid()));
    const other = await shop();
    let tries = 1;
    /** Moves the clock on until all of them are tried again. */
    const goOn = async (those: Shop[]) => {
      const tried = await Promise.all(those.map((one) => triedOnly(one, tries)));
      const next = Math.max(...tried.map(({ nextAttemptAt }) => Date.parse(nextAttemptAt ?? NOON)));
      webhooks.setNow(new Date(next).toISOString());
      tries++;
    };
    while (webhooks.now().getTime() < Date.parse(after(3 * DAY))) {
      await goOn(shops);
      await other.paid();
      const taken = async () => (await other.log('status=DELIVERED')).data.length;
      await until('another endpoint has its event', async () => (await taken()) === tries - 1);
    }
    await Promise.all(shops.map((one) => triedOnly(one, tries)));
    const late = new Set(shops);
    for (const one of shops) {
      expect(await one.read()).toMatchObject({ failingSince: NOON });
      // If this machine stands still meanwhile, that answer is too late, and the next one is in time.
      one.receiver.answers((_received, res) => void setTimeout(() => res.end(), late.delete(one) ? SLOWEST_MS : 0));
    }
    for (let left = shops; left.length > 0;) {
      await goOn(left);
      const tried = await Promise.all(left.map((one) => triedOnly(one, tries)));
      left = left.filter((_one, i) => tried[i]?.status !== 'DELIVERED');
    }
    for (const one of shops) expect(await one.read()).toMatchObject({ status: 'ENABLED', failingSince: null });
    for (const { attempts } of (await other.log('limit=100')).data) expect(attempts).toBe(1);
  }, 300_000);

  test('that comes twice to us is sent once', async () => {
    const one = await shop();
    const data = { ...paymentFacts({ organizationId: one.organizationId }), confirmedAt: webhooks.now() };
    const event = newEvent('PaymentConfirmed', { subject: data.paymentId, sequence: 1, time: webhooks.now(), data });
    await webhooks.receive(event);
    await webhooks.receive({ ...event, id: newId() });
    await triedOnly(one, 1);
    expect((await one.log()).data).toHaveLength(1);
  });
});

describe('an endpoint', () => {
  test('that answers 410 is disabled, and gets nothing new; enabled again it gets what waits, before its next try', async () => {
    const one = await shop();
    one.receiver.answers(410);
    await one.paid();
    await until('it is disabled', async () => (await one.read()).status === 'DISABLED');
    await one.paid();
    expect((await one.log()).data).toHaveLength(1);
    const { body } = await webhooks.ask(merchant(one.organizationId), '/event?type=webhook_endpoint.*');
    expect(body.data).toMatchObject([{ type: 'webhook_endpoint.disabled', object: { id: one.endpoint.id } }]);
    one.receiver.answers(200);
    await one.send('PATCH', `/${one.endpoint.id}`, { status: 'ENABLED' });
    expect(await triedOnly(one, 2)).toMatchObject({ status: 'DELIVERED', lastAttemptAt: NOON });
  });

  test('that fails for five days is paused; enabled again it gets all that waits, oldest first', async () => {
    const one = await shop();
    one.receiver.answers(503);
    const made = [await one.paid()];
    await triedOnly(one, 1);
    webhooks.setNow(after(5 * DAY));
    await until('it is paused', async () => (await one.read()).status === 'PAUSED');
    made.push(await one.paid(), await one.paid());
    const tries = one.receiver.received.length;
    const { body } = await webhooks.ask(merchant(one.organizationId), '/event?type=webhook_endpoint.paused');
    expect(body.data).toMatchObject([{ data: { status: 'PAUSED', failingSince: NOON } }]);
    one.receiver.answers(200);
    await one.send('PATCH', `/${one.endpoint.id}`, { status: 'ENABLED' });
    await until('all are delivered', async () => (await one.log('status=DELIVERED')).data.length === 3);
    expect(
      one.receiver.received
        .slice(tries)
        .map(({ event }) => event.object.id)
        .toSorted(),
    ).toEqual(made.toSorted());
  });

  test('that hangs keeps no other waiting', async () => {
    const slow = await Promise.all(Array.from({ length: 20 }, () => shop()));
    for (const one of slow) one.receiver.answers(() => {});
    await Promise.all(slow.map((one) => one.paid()));
    await Promise.all(slow.map((one) => came(one, 1)));
    const quick = await shop();
    await quick.paid();
    expect(await triedOnly(quick, 1)).toMatchObject({ status: 'DELIVERED' });
    const tried = sql`select attempts from delivery where endpoint_id = any(${slow.map(({ endpoint }) => endpoint.id)}::uuid[])`;
    expect(await webhooks.deps.db.many(tried)).toEqual(slow.map(() => ({ attempts: 0 })));
    for (const one of slow) await one.receiver.close();
  });

  test('of five merchants, a hundred that hang, take what one merchant may have each and keep no other waiting', async () => {
    const slow = await Promise.all(Array.from({ length: 5 }, () => shop(['hold.*'])));
    const { receiver } = slow[0] as Shop;
    receiver.answers(() => {});
    for (const { send } of slow) {
      for (let n = 1; n <= 19; n++) await send('POST', '', { url: receiver.url, types: ['payment.*'] });
    }
    const quick = await shop();
    await Promise.all(slow.map((one) => one.paid()));
    await until('all that may be under way is', () => receiver.received.length >= 5 * 16);
    await quick.paid();
    expect(await triedOnly(quick, 1)).toMatchObject({ status: 'DELIVERED' });
    await receiver.close();
  });

  test('is sent an event again, a sample of each type, and what happened since a time', async () => {
    const one = await shop();
    await one.paid();
    const delivered = await triedOnly(one, 1);
    const path = `/${one.endpoint.id}`;
    expect(await one.send('POST', `${path}/delivery/${delivered.id}/resend`)).toMatchObject({
      body: { status: 'PENDING' },
    });
    await came(one, 2);
    for (const type of outwardTypes)
      expect(await one.send('POST', `${path}/test`, { type })).toMatchObject({ status: 200 });
    await came(one, 2 + outwardTypes.length);
    for (const { event } of one.receiver.received) outwardEvent.parse(event);
    await until('nothing waits', async () => (await one.log('status=PENDING')).data.length === 0);
    expect((await one.send('POST', `${path}/replay`, { since: NOON })).body).toEqual({ count: 1, until: null });
    await came(one, 3 + outwardTypes.length);
    expect((await one.send('POST', `${path}/replay`, { since: NOON, types: ['hold.*'] })).body).toMatchObject({
      count: 0,
    });
    expect((await webhooks.ask(merchant(one.organizationId), '/event')).body.data).toHaveLength(1);
  });

  test('has a log that is walked by its cursor and kept for 30 days', async () => {
    const one = await shop();
    for (let n = 0; n < 5; n++) await one.paid();
    await until('all are delivered', async () => (await one.log('status=DELIVERED')).data.length === 5);
    const first = await one.log('limit=3');
    const rest = await one.log(`limit=3&cursor=${first.pagination.nextCursor}`);
    expect(rest.pagination.nextCursor).toBeNull();
    expect(new Set([...first.data, ...rest.data].map(({ id }) => id)).size).toBe(5);
    expect(await one.send('GET', `/${one.endpoint.id}/delivery?cursor=abc`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURSOR' },
    });
    webhooks.setNow(after(31 * DAY));
    while ((await pruneDeliveries(webhooks.deps)) > 0);
    expect((await one.log()).data).toEqual([]);
  });
});

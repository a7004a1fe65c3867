import type { ServerResponse } from 'node:http';
import { randomBytes } from 'node:crypto';
import '@cobro/testing/check-answers.ts';
import { createSemaphore } from '@cobro/async/semaphore.ts';
import { newEvent } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { WebhookDelivery } from '@cobro/contracts/webhook-requests.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { Job } from '@cobro/service-kit/job.ts';
import { lockWaits } from '@cobro/testing/lock-waits.ts';
import { merchant, paymentFacts } from '@cobro/testing/test-facts.ts';
import { testReceiver } from '@cobro/testing/test-receiver.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { EndpointRow } from '../endpoints/endpoint.row.ts';
import { findEndpoint } from '../endpoints/endpoint.store.ts';
import { resealSecrets } from '../endpoints/reseal-secrets.job.ts';
import { startWebhooks } from '../webhooks-under-test.ts';
import { deliverToEndpoints } from './deliver-to-endpoints.job.ts';
import { sendDue } from './send-due.ts';

let webhooks: Awaited<ReturnType<typeof startWebhooks>>;
let job: Job;
const receivers: Awaited<ReturnType<typeof testReceiver>>[] = [];
beforeAll(async () => {
  webhooks = await startWebhooks();
  job = deliverToEndpoints(webhooks.deps);
});
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
});
afterAll(async () => {
  await job?.stop();
  await webhooks?.close();
});

async function shop() {
  const organizationId = newId();
  const receiver = await testReceiver();
  receivers.push(receiver);
  const send = (method: string, path: string, body?: object) =>
    webhooks.send(merchant(organizationId), method, `/webhook-endpoint${path}`, body);
  const { body } = await send('POST', '', { url: receiver.url, types: ['payment.*'] });
  const id = body.id as string;
  const paid = async () => {
    const data = { ...paymentFacts({ organizationId }), confirmedAt: webhooks.now() };
    const of = { subject: data.paymentId, sequence: 1, time: webhooks.now() };
    await webhooks.receive(newEvent('PaymentConfirmed', { ...of, data }));
  };
  const only = async () => (await send('GET', `/${id}/delivery`)).body.data[0] as WebhookDelivery | undefined;
  return { id, organizationId, receiver, send, paid, only };
}

test.each([
  ['taken', 200],
  ['refused', 500],
])(
  'what its merchant asks to have sent again while a try is under way comes again, where that is %s',
  async (_how, status) => {
    const { id, receiver, send, paid, only } = await shop();
    const waiting: ServerResponse[] = [];
    receiver.answers((_received, res) => void waiting.push(res));
    await paid();
    await until('the first has come', async () => waiting.length === 1);
    const first = await only();
    webhooks.setNow(new Date(webhooks.now().getTime() + 1_000).toISOString());
    expect(await send('POST', `/${id}/delivery/${first?.id}/resend`, {})).toMatchObject({ status: 200 });
    receiver.answers(200);
    waiting[0]?.writeHead(status).end();
    await until('it has come again', async () => receiver.received.length === 2);
    await until('that is written down', async () => (await only())?.status === 'DELIVERED');
    expect(await only()).toMatchObject({ attempts: 2, responseStatus: 200 });
  },
);

test('what cannot be made is a try that failed, and keeps no secret from being sealed anew', async () => {
  const [lost, other] = [await shop(), await shop()];
  await webhooks.deps.db.run(sql`
    update webhook_endpoint set sealed_secret = ${randomBytes(64)} where id = ${lost.id}`);
  await lost.paid();
  await until('it is tried', async () => (await lost.only())?.attempts === 1);
  expect(await lost.only()).toMatchObject({ status: 'PENDING', error: 'it could not be made' });
  const key = new Secret(randomBytes(32));
  const sealedOf = async ({ id }: { id: string }) =>
    (
      await webhooks.deps.db.one<{ sealed: Buffer }>(sql`
      select sealed_secret as sealed from webhook_endpoint where id = ${id}`)
    ).sealed;
  const before = await sealedOf(other);
  await resealSecrets({ ...webhooks.deps, secretKeys: [key, ...webhooks.deps.secretKeys] });
  expect((await sealedOf(other)).equals(before)).toBe(false);
});

test('what is asked of an endpoint while it is deleted finds it gone', async () => {
  const { id, send, paid, only } = await shop();
  await paid();
  await until('its delivery is written down', async () => (await only())?.status === 'DELIVERED');
  const { db } = webhooks.deps;
  const deleted = await db.inTransaction(async (tx) => {
    await tx.run(sql`delete from webhook_endpoint where id = ${id}`);
    const asked = Promise.all([
      send('DELETE', `/${id}`),
      send('POST', `/${id}/test`, { type: 'payment.confirmed' }),
      send('POST', `/${id}/replay`, { since: '2026-11-20T00:00:00.000Z' }),
    ]);
    await until('all wait for its row', async () => (await lockWaits(db)) === 3);
    return { asked };
  });
  expect(await deleted.asked).toMatchObject([
    { status: 200 },
    { status: 404, body: { code: 'WEBHOOK_ENDPOINT_NOT_FOUND' } },
    { status: 404, body: { code: 'WEBHOOK_ENDPOINT_NOT_FOUND' } },
  ]);
});

test('an endpoint that is deleted while what failed before is released gets nothing more', async () => {
  const { id, organizationId, send } = await shop();
  const endpoint = await findEndpoint(webhooks.deps.db, organizationId, id);
  await send('DELETE', `/${id}`);
  const bounds = {
    permits: createSemaphore({ permits: 1, perKey: 1 }),
    sender: 0,
    until: new AbortController().signal,
  };
  const recovered = { ...(endpoint as EndpointRow), recoveredAt: webhooks.now() };
  expect(await sendDue(webhooks.deps, recovered, bounds)).toBeUndefined();
});

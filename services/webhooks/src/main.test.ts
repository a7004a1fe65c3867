import { newEvent } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { outwardId } from '@cobro/contracts/outward-events.ts';
import { sql } from '@cobro/postgres/database.ts';
import { openPublisher, type Publisher } from '@cobro/testing/open-publisher.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { merchant, paymentFacts } from '@cobro/testing/test-facts.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testReceiver } from '@cobro/testing/test-receiver.ts';

let services: RunningServices;
let publisher: Publisher;
let receiver: Awaited<ReturnType<typeof testReceiver>>;
beforeAll(async () => {
  services = await startServices({ services: ['webhooks'] });
  publisher = await openPublisher(services);
  receiver = await testReceiver();
});
afterAll(async () => {
  await receiver?.close();
  await publisher?.close();
  await services?.stop();
});

test('terminated and killed among its events and deliveries it loses none, and none has two ids', async () => {
  const organizationId = newId();
  const caller = merchant(organizationId);
  const body = { url: receiver.url, types: ['payment.*'] };
  const made = await services.call('webhooks', { method: 'POST', path: '/webhook-endpoint', body, caller });
  expect(made.status).toBe(201);
  const ids = Array.from({ length: 200 }, () => newId());
  const published = Promise.all(
    ids.map((paymentId) => {
      const time = services.now();
      const data = { ...paymentFacts({ organizationId, paymentId }), confirmedAt: time };
      return publisher.publish(newEvent('PaymentConfirmed', { subject: paymentId, sequence: 1, time, data }));
    }),
  );
  const came = () => new Set(receiver.received.map(({ event }) => event.object.id));
  await until('some have come', () => came().size > 5);
  expect(await services.terminate('webhooks')).toBe(0);
  await services.restart('webhooks');
  await published;
  const before = came().size;
  await until('more have come', () => came().size > Math.min(before + 5, ids.length - 1));
  await services.kill('webhooks');
  await services.restart('webhooks');
  await until('all have come', () => came().size === ids.length);
  expect([...came()].toSorted()).toEqual(ids.toSorted());
  const sentAs = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
  expect(sentAs).toEqual(new Set(ids.map((id) => outwardId(id, 'payment.confirmed'))));
  await until('all is written down', async () => {
    const open = sql`select from delivery where status = 'PENDING'`;
    return (await services.db('webhooks').many(open)).length === 0;
  });
}, 300_000);

import { rmSync } from 'node:fs';
import { newEvent } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { type OutwardEvent, outwardId } from '@cobro/contracts/outward-events.ts';
import { openPublisher, type Publisher } from '@cobro/testing/open-publisher.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { merchant, paymentFacts } from '@cobro/testing/test-facts.ts';
import { testReceiver } from '@cobro/testing/test-receiver.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTrap, trapped } from './crash-stack.ts';
import type { Trap } from './points.ts';

const { folder, trapFile, env } = trapped();
let services: RunningServices;
let publisher: Publisher;
let receiver: Awaited<ReturnType<typeof testReceiver>>;
beforeAll(async () => {
  services = await startServices({ services: ['webhooks'], env });
  publisher = await openPublisher(services);
  receiver = await testReceiver();
});
afterAll(async () => {
  await receiver?.close();
  await publisher?.close();
  await services?.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Point = [what: string, trap: Omit<Trap, 'service'>, requests: number];
const READS_DUE = 'from delivery.*left join event';
const WRITES_TRY = 'update delivery set .*DELIVERED';

/** Points between an event and the end of its delivery, and the most requests that the receiver may get about it. */
const points: Point[] = [
  ['before the event is written', { statement: 'insert into event', point: 'statement:1:before' }, 1],
  ['when the event is written and not acknowledged', { statement: 'insert into event', point: 'statement:1:after' }, 1],
  ['when it is sent and not answered', { statement: READS_DUE, point: 'call:1:sent' }, 2],
  ['when it is answered and the try is not written down', { statement: READS_DUE, point: 'call:1:after' }, 2],
  ['when the try is written down', { statement: WRITES_TRY, point: 'statement:1:after' }, 1],
  ['when its endpoint is taken', { statement: READS_DUE, point: 'statement:1:before' }, 1],
  ['before the event is sent', { statement: READS_DUE, point: 'call:1:before' }, 1],
  ['before the try is written down', { statement: WRITES_TRY, point: 'statement:1:before' }, 2],
  ['before the endpoint is noted, with the try', { statement: 'set last_delivery_at', point: 'statement:1:before' }, 2],
  ['when the endpoint is noted', { statement: 'set last_delivery_at', point: 'statement:1:after' }, 1],
];

test.each(points)('killed %s, webhooks shows the event once and it comes under one id', async (_what, trap, most) => {
  const organizationId = newId();
  const caller = merchant(organizationId);
  const body = { url: receiver.url, types: ['payment.*'] };
  const made = await services.call('webhooks', { method: 'POST', path: '/webhook-endpoint', body, caller });
  expect(made.status).toBe(201);
  setTrap(trapFile, { service: 'webhooks', ...trap });

  const time = services.now();
  const data = { ...paymentFacts({ organizationId }), confirmedAt: time };
  await publisher.publish(newEvent('PaymentConfirmed', { subject: data.paymentId, sequence: 1, time, data }));
  await until('webhooks is dead', () => services.hasEnded('webhooks'));
  await services.kill('webhooks');
  await services.restart('webhooks');

  const id = outwardId(data.paymentId, 'payment.confirmed');
  const log = `/webhook-endpoint/${(made.body as { id: string }).id}/delivery`;
  const cameOf = () => receiver.received.filter((one) => one.event.object.id === data.paymentId);
  await until('it is delivered, and that is written down', async () => {
    const { body: page } = await services.call('webhooks', { method: 'GET', path: log, caller });
    return (
      (page as { data: { status: string }[] }).data.every(({ status }) => status === 'DELIVERED') && cameOf().length > 0
    );
  });
  expect(new Set(cameOf().map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
  expect(cameOf().length).toBeLessThanOrEqual(most);
  const { body: feed } = await services.call('webhooks', { method: 'GET', path: '/event', caller });
  expect((feed as { data: OutwardEvent[] }).data.map((one) => one.id)).toEqual([id]);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PaymentFacts } from '@cobro/contracts/events.ts';
import { sql } from '@cobro/postgres/database.ts';
import { openPublisher, type Publisher } from '@cobro/testing/open-publisher.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { about, approved, merchant, paymentFacts } from '@cobro/testing/test-facts.ts';
import { reporting } from './service.ts';

async function until<T>(read: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  for (const deadline = Date.now() + 60_000; ;) {
    const value = await read();
    if (good(value) || Date.now() > deadline) return value;
    await sleep(10);
  }
}

describe('the service on its queue', () => {
  let services: RunningServices;
  let publisher: Publisher;
  beforeAll(async () => {
    services = await startServices({ services: ['reporting'] });
    publisher = await openPublisher(services);
  });
  afterAll(async () => {
    await publisher?.close();
    await services?.stop();
  });

  const detail = ({ organizationId, paymentId }: PaymentFacts) =>
    services.call('reporting', { path: `/developer/v1/payment/${paymentId}`, caller: merchant(organizationId) });

  const countOf = async (status: string) => {
    const count = sql`select count(*)::int as count from payment where status = ${status}`;
    return (await services.db('reporting').one<{ count: number }>(count)).count;
  };

  test('is ready no sooner than each of its pools has a connection', async () => {
    const pools = sql`select distinct application_name as name from pg_stat_activity where datname = current_database()`;
    const names = (await services.db('reporting').many<{ name: string }>(pools)).map(({ name }) => name);
    const own = Object.keys(reporting.ownConnections).map((of) => `reporting ${of}`);
    expect(names).toEqual(expect.arrayContaining(['reporting', ...own]));
  });

  test('shows what the broker brings, by the clock of the stack', async () => {
    const heldAt = services.now();
    const facts = paymentFacts({ createdAt: heldAt });
    await publisher.publish(about('HoldPlaced', { ...facts, captureBefore: null, heldAt }));
    const answer = await until(
      () => detail(facts),
      ({ status }) => status === 200,
    );
    expect(answer.body).toMatchObject({ status: 'HELD', heldAt: heldAt.toISOString(), holdExpired: false });
    await services.moveClock(8 * 86_400_000);
    expect((await detail(facts)).body).toMatchObject({ status: 'HELD', holdExpired: true, holdDaysRemaining: 0 });
  });

  test('events of types that it does not project leave the queue and change nothing', async () => {
    const confirmed = paymentFacts();
    const event = about('PaymentConfirmed', { ...confirmed, confirmedAt: confirmed.createdAt });
    const { paymentMethodId, organizationId } = confirmed;
    await publisher.publish({
      ...event,
      id: event.subject,
      type: 'PaymentMethodSaved',
      data: { paymentMethodId, organizationId },
    });
    await publisher.publish({ ...event, id: confirmed.organizationId, type: 'SomethingNew' });
    await publisher.publish(event);
    await until(
      () => detail(confirmed),
      ({ status }) => status === 200,
    );
    const inbox = sql`select event_id from inbox where event_id in (${event.subject}, ${organizationId})`;
    expect(await services.db('reporting').many(inbox)).toEqual([]);
  });

  test('terminated and killed among its events it loses none and applies none twice', async () => {
    const lives = Array.from({ length: 150 }, () => paymentFacts({ createdAt: services.now() }));
    const transaction = approved('refund-1', '2026-11-20T12:03:00.000Z');
    const events = lives.flatMap((facts) => [
      about('PaymentConfirmed', { ...facts, confirmedAt: facts.createdAt }),
      about('PaymentRefunded', { ...facts, refundedAt: facts.createdAt, reason: null, payment: null, transaction }),
    ]);
    const published = Promise.all(events.map(publisher.publish));
    await until(
      () => countOf('REFUNDED'),
      (count) => count > 5,
    );
    expect(await services.terminate('reporting')).toBe(0);
    const left = await countOf('REFUNDED');
    await services.restart('reporting');
    await published;
    await until(
      () => countOf('REFUNDED'),
      (count) => count > Math.min(left + 5, lives.length - 1),
    );
    await services.kill('reporting');
    await services.restart('reporting');
    expect(
      await until(
        () => countOf('REFUNDED'),
        (count) => count === lives.length,
      ),
    ).toBe(lives.length);
  }, 240_000);
});

describe('the service without a broker', () => {
  test('is ready, and shows what it knew before', async () => {
    const services = await startServices({ services: ['reporting'], env: { AMQP_URL: 'amqp://127.0.0.1:1' } });
    try {
      const answer = await services.call('reporting', { path: '/health/ready' });
      expect(answer).toMatchObject({ status: 200, body: { ready: true } });
      const list = await services.call('reporting', {
        path: '/developer/v1/payment',
        caller: merchant(paymentFacts().organizationId),
      });
      expect(list).toMatchObject({ status: 200, body: { data: [] } });
      expect(await services.terminate('reporting')).toBe(0);
    } finally {
      await services.stop();
    }
  });
});

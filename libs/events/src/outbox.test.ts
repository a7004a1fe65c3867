import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLog } from '@cobro/testing/silent-log.ts';
import { makeReadOnly } from '@cobro/testing/test-database.ts';
import {
  commit,
  confirmed,
  envelopeOf,
  firstSequences,
  idsOf,
  type TestOutbox,
  testOutbox,
  upTo,
} from '@cobro/testing/test-outbox.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { testEvent } from '@cobro/testing/test-event.ts';
import { until } from '@cobro/testing/until.ts';
import { context, propagation, type TextMapPropagator } from '@opentelemetry/api';
import type { ConsumeMessage } from 'amqplib';
import { appendToOutbox } from './outbox.ts';
import { BATCH, relayBatch } from './relay-batch.ts';

let own: TestOutbox;
beforeAll(async () => {
  own = await testOutbox();
});
afterEach(() => own.cleanUp());
afterAll(() => own.drop());

describe('the outbox', () => {
  test('sends a committed event as it is and forgets it', async () => {
    const { prefix, received } = await own.withBoundQueue();
    const sent = confirmed();
    await commit(own.replica(prefix), sent);
    await until('received', () => received.length === 1);
    const [message] = received as [ConsumeMessage];
    expect(envelopeOf(message)).toEqual(sent);
    expect(message.fields.routingKey).toBe('PaymentConfirmed.other');
    expect(() => own.checkSignature(sent, message)).not.toThrow();
    const contentType = 'application/cloudevents+json';
    expect(message.properties).toMatchObject({ messageId: sent.id, contentType, deliveryMode: 2 });
    await until('forgotten', async () => (await own.left()) === 0);
  });

  test('sends nothing of a transaction that was rolled back', async () => {
    const { prefix, received } = await own.withBoundQueue();
    const payments = own.replica(prefix);
    const rolledBack = payments.db.inTransaction(async (tx) => {
      payments.outbox.append(tx, confirmed());
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    const after = confirmed();
    await commit(payments, after);
    await until('received', () => received.length > 0);
    expect(idsOf(received)).toEqual([after.id]);
  });

  test('sends nothing while its database takes only reads, because it could not forget it, and all of it once afterwards', async () => {
    const { prefix, received } = await own.withBoundQueue();
    const events = [confirmed(), confirmed()];
    await own.db.inTransaction(async (tx) => events.forEach((event) => appendToOutbox(tx, event)));
    const { username, pathname } = new URL(own.database.url);
    const restore = await makeReadOnly(pathname.slice(1), decodeURIComponent(username));
    own.replica(prefix);
    await sleep(2_000);
    expect(received).toEqual([]);
    await restore();
    await until('forgotten', async () => (await own.left()) === 0);
    await until('received', () => received.length >= events.length);
    expect(idsOf(received).toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  });

  test('keeps the trace context of the request and puts it on the message', async () => {
    const { prefix, received } = await own.withBoundQueue();
    propagation.setGlobalPropagator({
      inject: (_context, carrier, setter) => setter.set(carrier, 'traceparent', '00-aa-bb-01'),
      extract: () => context.active(),
      fields: () => ['traceparent'],
    } satisfies TextMapPropagator);
    own.undo.push(async () => propagation.disable());
    await commit(own.replica(prefix), confirmed());
    await until('received', () => received.length === 1);
    expect(received[0]?.properties.headers).toMatchObject({ traceparent: '00-aa-bb-01' });
  });
});

describe('an event that no queue takes', () => {
  test('stays, holds up only later events of its aggregate, and goes when there is a queue', async () => {
    const { prefix, received, bind } = await own.withQueue();
    await bind('HoldPlaced');
    const payments = own.replica(prefix);
    const subject = newId();
    await commit(payments, confirmed(subject, 1), testEvent('HoldPlaced', { subject, sequence: '2' }));
    const other = testEvent('HoldPlaced');
    await commit(payments, other);
    await until('the other one received', () => received.length === 1);
    expect(idsOf(received)).toEqual([other.id]);
    await until('forgotten', async () => (await own.left()) === 2);
    await bind('PaymentConfirmed.#');
    await until('received', () => received.length === 3);
    expect(firstSequences(received, subject)).toEqual([1, 2]);
  });

  test('does not hold up other aggregates, even when more of them wait than a batch holds', async () => {
    const { prefix, received, bind } = await own.withQueue();
    await bind('PaymentConfirmed.#');
    const unroutable = upTo(BATCH + 100).map(() => testEvent('HoldPlaced'));
    const routable = confirmed();
    await commit(own.replica(prefix), ...unroutable, routable);
    await until('received', () => received.length === 1);
    expect(idsOf(received)).toEqual([routable.id]);
    await until('forgotten', async () => (await own.left()) === unroutable.length);
  });

  test('is no longer known to this process a minute after another one has sent it', async () => {
    const { prefix } = await own.withBoundQueue();
    const now = Date.now();
    const waiting = newId();
    const backedOff = new Map([
      [newId(), { until: now - 60_000, tries: 9 }],
      [waiting, { until: now - 1_000, tries: 9 }],
    ]);
    const sign = () => {
      throw new Error('there is nothing to sign');
    };
    const relaying = { ...own.replica(prefix), sign, log: silentLog };
    await relayBatch(relaying, backedOff, { olderThanS: 0, besides: [], knownWork: false });
    expect([...backedOff.keys()]).toEqual([waiting]);
  });
});

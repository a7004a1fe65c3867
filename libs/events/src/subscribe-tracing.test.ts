import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { silentLog } from '@cobro/testing/silent-log.ts';
import { type TestConsumer, testConsumer } from '@cobro/testing/test-consumer.ts';
import { testEvent } from '@cobro/testing/test-event.ts';
import { until } from '@cobro/testing/until.ts';
import { type Context, context, createContextKey, ROOT_CONTEXT } from '@opentelemetry/api';
import { type Broker, openBroker } from './broker.ts';
import { PermanentEventError, receiveInto } from './inbox.ts';
import { subscribe } from './subscribe.ts';

const MESSAGE = createContextKey('message');

let holds: TestConsumer;
let broker: Broker;

beforeAll(async () => {
  const traces = new AsyncLocalStorage<Context>();
  context.setGlobalContextManager({
    active: () => traces.getStore() ?? ROOT_CONTEXT,
    with: (active, fn, self, ...args) => traces.run(active, () => fn.call(self, ...args)),
    bind: (_active, target) => target,
    enable: () => context as never,
    disable: () => context as never,
  });
  holds = await testConsumer('holds', [100]);
  broker = openBroker({ url: holds.url, name: 'test', prefix: holds.prefix, log: silentLog });
});
afterAll(async () => {
  await broker.close();
  await holds.drop();
  context.disable();
});

test('what becomes of an event is in its own trace, whichever came with it', async () => {
  const traceOfParked = new Map<string, unknown>();
  const traced: Broker = {
    ...broker,
    consume: (options) =>
      broker.consume({
        ...options,
        onDelivery: (delivery) => {
          const trace = ROOT_CONTEXT.setValue(MESSAGE, delivery.message.properties.messageId);
          context.with(trace, () => options.onDelivery(delivery));
        },
      }),
    publish: (message) => {
      traceOfParked.set(message.messageId, context.active().getValue(MESSAGE));
      return broker.publish(message);
    },
  };
  const refuse = () => Promise.reject(new PermanentEventError('no'));
  const handlers = { HoldPlaced: holds.leaveEffect, HoldReleased: refuse };
  const events = Array.from({ length: 20 }, (_, i) => testEvent(i % 2 === 0 ? 'HoldPlaced' : 'HoldReleased'));
  for (const event of events) holds.send(event);
  const { db, checkSignature } = holds;
  const log = silentLog;
  const receive = receiveInto(db, handlers);
  const subscription = subscribe({ broker: traced, queue: 'holds', receive, checkSignature, log });
  await until('all parked', () => traceOfParked.size === 10);
  for (const [messageId, trace] of traceOfParked) expect(trace).toBe(messageId);
  await subscription.stop();
});

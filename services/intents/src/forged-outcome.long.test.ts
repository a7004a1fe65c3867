import type { Envelope } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { listParked } from '@cobro/events/parked.ts';
import { consumerQueue, eventsExchange } from '@cobro/events/topology.ts';
import { sql } from '@cobro/postgres/database.ts';
import { brokerUrlOf } from '@cobro/testing/broker-address.ts';
import { type HeardEvents, hearEvents } from '@cobro/testing/hear-events.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type Receipt, type TestIntents, testIntents } from '@cobro/testing/test-intents.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'amqplib';

let services: RunningServices;
let intents: TestIntents;
let heard: HeardEvents;
beforeAll(async () => {
  services = await startServices({ services: ['intents', 'payments'], env: { BANK_CALL_TIMEOUT_MS: '5000' } });
  intents = await testIntents(services);
  heard = await hearEvents(services.broker);
});
afterAll(async () => {
  await heard?.close();
  await services?.stop();
});

const chargingOf = async (intent: { id: string }) =>
  (
    await services.db('intents').one<{ payment: string | null }>(sql`
      select charging_payment_id as payment from payment_intent where id = ${intent.id}`)
  ).payment;

/** Taps a card whose charge the bank neither makes nor answers, and copies the outcome of another payment to it. */
async function tapInSilence(): Promise<{ intent: { id: string }; event: Envelope }> {
  const paid = await intents.ready();
  const { paymentId } = (await paid.terminal.pay(paid.intent)).body as Receipt;
  await heard.data('PaymentConfirmed', paymentId ?? '');
  const [published] = heard.of(paymentId ?? '').filter(({ type }) => type === 'PaymentConfirmed');
  if (published === undefined) throw new Error('no outcome was published');
  const { terminal, intent } = await intents.ready();
  await services.bank.setFaults({ next: [{ kind: 'sale', fault: 'silentNotDone' }] });
  void terminal.pay(intent).catch(() => {});
  await until('the card is being charged', async () => (await chargingOf(intent)) !== null);
  const subject = (await chargingOf(intent)) ?? '';
  const data = { ...(published.data as object), paymentId: subject, paymentIntentId: intent.id };
  return { intent, event: { ...published, id: newId(), subject, data } };
}

/** Publishes as a service's broker user. Rejects if the broker refuses. */
async function publishAs(service: string, event: Envelope, message: { content: Buffer; headers: object }) {
  const connection = await connect(brokerUrlOf(services.broker, service));
  connection.on('error', () => {});
  try {
    const channel = await connection.createConfirmChannel();
    const closed = new Promise<never>((_resolve, reject) => channel.on('error', reject));
    const exchange = eventsExchange(services.broker.prefix);
    const properties = { messageId: event.id, headers: message.headers };
    channel.publish(exchange, `${event.type}.intent`, message.content, properties);
    await Promise.race([channel.waitForConfirms(), closed]);
  } finally {
    await connection.close().catch(() => {});
  }
}

describe('an outcome of a charge that payments did not publish', () => {
  const unsigned = (event: Envelope) => ({ content: Buffer.from(JSON.stringify(event)), headers: {} });

  test('is refused by the broker where a reader of events sends it', async () => {
    const { event } = await tapInSilence();
    const published = publishAs('reporting', event, unsigned(event)).then(
      () => 'done',
      ({ message }: Error) => /ACCESS_REFUSED/.exec(message)?.[0] ?? message,
    );
    // A broker that was given by its address has one user for all services.
    expect(await published).toBe(services.broker.servicePasswords === undefined ? 'done' : 'ACCESS_REFUSED');
  });

  test.each([
    ['unsigned', unsigned],
    ['signed by another service', (event: Envelope) => services.keys.signed(event, 'reporting')],
  ])('is parked and pays nothing where it comes with payments’ user of the broker, %s', async (_how, sign) => {
    const { intent, event } = await tapInSilence();
    await publishAs('payments', event, sign(event));
    const parked = async () => (await listParked(services.broker)).filter(({ eventId }) => eventId === event.id);
    await until('it is parked', async () => (await parked()).length === 1);
    expect(await parked()).toMatchObject([
      { queue: consumerQueue(services.broker.prefix, 'intents'), reason: 'not signed by payments' },
    ]);
    await until('the charge has ended', async () => (await chargingOf(intent)) === null);
    expect(await intents.statusOf(intent)).toBe('PENDING');
  });
});

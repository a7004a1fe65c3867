import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Envelope, parseEnvelope } from '@cobro/contracts/events.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { createTokenSigner } from '@cobro/service-kit/internal-token.ts';
import { generateKeys, signingPair } from '@cobro/testing/keys.ts';
import { silentLog } from '@cobro/testing/silent-log.ts';
import { type TestConsumer, testConsumer } from '@cobro/testing/test-consumer.ts';
import { testEvent } from '@cobro/testing/test-event.ts';
import { until } from '@cobro/testing/until.ts';
import { type Broker, openBroker } from './broker.ts';
import { createEventSigner, createSignatureCheck, type SignedMessage } from './event-signature.ts';
import { type EventHandlers, receiveEvent, receiveInto } from './inbox.ts';
import { listParked, retryParked } from './parked.ts';
import { subscribe, type Subscription } from './subscribe.ts';

const LADDER = [100, 200];

interface Signed {
  event: Envelope;
  message: SignedMessage;
}

let holds: TestConsumer;
let broker: Broker;
let subscription: Subscription | undefined;

beforeAll(async () => {
  holds = await testConsumer('holds', LADDER);
  broker = openBroker({ url: holds.url, name: 'test', prefix: holds.prefix, log: silentLog });
});

afterAll(async () => {
  await broker.close();
  await holds.drop();
});

afterEach(async () => {
  await subscription?.stop();
  await holds.purge();
});

function consume(handlers: EventHandlers = { HoldPlaced: holds.leaveEffect }): void {
  const { db, checkSignature } = holds;
  const options = { receive: receiveInto(db, handlers), checkSignature, log: silentLog, retryDelaysMs: LADDER };
  subscription = subscribe({ broker, queue: 'holds', ...options });
}

const parked = () => listParked(holds);
const untilParked = (count: number) => until(`${count} parked`, async () => (await parked()).length === count);
const untilApplied = (event: Envelope) => until('applied', async () => (await holds.effectsOf(event)) === 1);
const put = (event: Envelope, content: Buffer, headers: Record<string, unknown>) =>
  holds.channel.sendToQueue(holds.queue, content, { messageId: event.id, persistent: true, headers });

const forgeries: [string, (event: Envelope) => { content: Buffer; headers: Record<string, unknown> }][] = [
  ['without a signature', (event) => ({ content: Buffer.from(JSON.stringify(event)), headers: {} })],
  ['with a key of nobody', (event) => generateKeys().signed(event)],
  ['with the key of another service', (event) => holds.keys.signed(event, 'reporting')],
  [
    'with a body that was changed',
    (event) => {
      const { headers } = holds.keys.signed(event);
      return { headers, content: Buffer.from(JSON.stringify({ ...event, data: { amount: 1 } })) };
    },
  ],
  [
    'with the signature of another event',
    (event) => ({ ...holds.keys.signed(testEvent('HoldPlaced')), content: Buffer.from(JSON.stringify(event)) }),
  ],
  [
    'with something else than a text for a signature',
    (event) => ({ content: Buffer.from(JSON.stringify(event)), headers: { signature: 7 } }),
  ],
];

describe('an event from the broker', () => {
  test.each(forgeries)(
    '%s is parked and changes nothing, and does not stand in the way of the true one',
    async (_how, forge) => {
      const event = testEvent('HoldPlaced');
      const { content, headers } = forge(event);
      consume();
      put(event, content, headers);
      await untilParked(1);
      expect(await holds.effectsOf(event)).toBe(0);
      expect(await parked()).toMatchObject([{ eventId: event.id, failures: 1, reason: 'not signed by payments' }]);
      holds.send(event);
      await untilApplied(event);
      await retryParked(holds, event.id);
      await until('taken as a copy', async () => (await parked()).length === 0 && (await holds.waiting()) === 0);
      expect(await holds.effectsOf(event)).toBe(1);
    },
  );

  test('that comes together with forgeries is applied alone', async () => {
    const events = Array.from({ length: 6 }, () => testEvent('HoldPlaced'));
    for (const event of events) {
      put(event, Buffer.from(JSON.stringify(event)), {});
      holds.send(event);
    }
    consume();
    for (const event of events) await untilApplied(event);
    // A forgery that came after its event counts as a copy of a known event and is not parked.
    for (const { reason } of await parked()) expect(reason).toBe('not signed by payments');
  });

  test('keeps its signature while it is tried again, parked and put back', async () => {
    let isRepaired = false;
    consume({
      HoldPlaced: async (tx, event) => {
        if (!isRepaired) throw new Error('broken');
        await holds.leaveEffect(tx, event);
      },
    });
    const event = testEvent('HoldPlaced');
    holds.send(event);
    await untilParked(1);
    expect(await parked()).toMatchObject([{ failures: 3, reason: 'Error' }]);
    isRepaired = true;
    await retryParked(holds, event.id);
    await untilApplied(event);
  });

  test('is not checked where it was handed over before', async () => {
    const event = testEvent('HoldPlaced');
    const handlers = { HoldPlaced: holds.leaveEffect };
    expect(await receiveEvent(holds.db, handlers, event)).toBe('applied');
    consume();
    put(event, Buffer.from(JSON.stringify(event)), {});
    const after = testEvent('HoldPlaced', { subject: event.subject });
    holds.send(after);
    await untilApplied(after);
    expect(await parked()).toEqual([]);
  });
});

describe('a signature', () => {
  const event = testEvent('HoldPlaced');
  const [old, fresh] = [signingPair('payments'), signingPair('payments')];
  const signerOf = ({ privateJwk }: typeof old) => createEventSigner(new Secret(privateJwk));
  const messageBy = (pair: typeof old, body = event) => {
    const { content, headers } = signerOf(pair)(JSON.stringify(body));
    return { content, properties: { headers } };
  };

  test('of either key is believed while the key is turned over, and of the old one no longer afterwards', () => {
    const both = createSignatureCheck({ keys: [old.publicJwk, fresh.publicJwk] });
    for (const pair of [old, fresh]) expect(() => both(event, messageBy(pair))).not.toThrow();
    const one = createSignatureCheck({ keys: [fresh.publicJwk] });
    expect(() => one(event, messageBy(fresh))).not.toThrow();
    expect(() => one(event, messageBy(old))).toThrow('not signed by payments');
  });

  describe('vouches for the message before it', () => {
    const sign = signerOf(old);
    const earlier = testEvent('HoldPlaced');
    const signed = (one: Envelope): Signed => {
      const { content, headers } = sign(JSON.stringify(one));
      return { event: parseEnvelope(JSON.parse(content.toString())), message: { content, properties: { headers } } };
    };
    const [first, second, third] = [signed(earlier), signed(event), signed(testEvent('HoldPlaced'))];
    const unsigned = ({ message }: Signed) => ({ content: message.content, properties: { headers: {} } });
    const check = () => createSignatureCheck({ keys: [old.publicJwk, { ...fresh.publicJwk, kid: 'holds' }] });

    test('and that one for the one before, however they are signed themselves', () => {
      const believes = check();
      believes(third.event, third.message);
      expect(() => believes(second.event, unsigned(second))).not.toThrow();
      expect(() => believes(first.event, unsigned(first))).not.toThrow();
    });

    test('but for no message whose successor was not believed', () => {
      const believes = check();
      expect(() => believes(third.event, unsigned(third))).toThrow('not signed by payments');
      expect(() => believes(second.event, unsigned(second))).toThrow('not signed by payments');
    });

    test('but for no other message, and for none of another service', () => {
      const believes = check();
      const byHolds = createEventSigner(new Secret(fresh.privateJwk));
      byHolds(JSON.stringify(earlier));
      const { content, headers } = byHolds(JSON.stringify(testEvent('HoldReleased')));
      const ofHolds = { content, properties: { headers } };
      believes(parseEnvelope(JSON.parse(content.toString())), ofHolds);
      expect(() => believes(earlier, { content: Buffer.from(JSON.stringify(earlier)), properties: {} })).toThrow(
        'not signed by payments',
      );
      believes(third.event, third.message);
      const changed = Buffer.from(second.message.content.toString().replace('HoldPlaced', 'HoldPlaced '));
      expect(() => believes(second.event, { content: changed, properties: second.message.properties })).toThrow(
        'not signed by payments',
      );
    });
  });

  test('of an internal token is none of an event, though the key is the same', async () => {
    const caller = { kind: 'service', name: 'payments' } as const;
    const token = await createTokenSigner(new Secret(old.privateJwk))(caller, 'holds');
    const [header, payload, signature = ''] = token.split('.');
    const message = {
      content: Buffer.from(`${header}.${payload}`),
      properties: { headers: { signature: Buffer.from(signature, 'base64url').toString('base64') } },
    };
    expect(() => createSignatureCheck({ keys: [old.publicJwk] })(event, message)).toThrow('not signed by payments');
  });
});

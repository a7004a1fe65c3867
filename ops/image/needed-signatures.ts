import { setTimeout as sleep } from 'node:timers/promises';
import { shownTo } from '@cobro/certificates/shown-certificate.ts';
import { producerOf } from '@cobro/contracts/events.ts';
import { publicKeyOf } from '@cobro/events/event-signature.ts';
import { countSignedWith } from '@cobro/events/parked.ts';
import { consumerQueue, RETRY_DELAYS_MS, retryQueue } from '@cobro/events/topology.ts';
import { connect } from 'amqplib';
import { definitions } from '../../services/definitions.ts';
import type { Jwk } from './turn-key.ts';

interface Broker {
  url: string;
  prefix: string;
}

/** Under load a queue whose consumer keeps up is empty again and again. */
const LOOK_FOR_MS = 10_000;
const LOOK_EVERY_MS = 100;

/**
 * Refuses to drop a key that a service has signed events with while such an event may wait: in a queue, for another attempt, or parked.
 * After the roll of `use` everything new has the new key, so empty queues prove it.
 * @throws if events wait
 */
export async function refuseWhileNeeded(access: Broker, service: string, key: Jwk): Promise<void> {
  const followers = definitions.filter(({ follows }) => follows.some((type) => producerOf(type) === service));
  if (followers.length === 0) return;
  const queues = followers
    .map(({ name }) => consumerQueue(access.prefix, name))
    .flatMap((queue) => [...RETRY_DELAYS_MS.map((delayMs) => retryQueue(queue, delayMs)), queue]);
  const waiting = await waitingIn(access.url, queues);
  if (waiting.length > 0) {
    throw new Error(
      `Events that the old key may have signed wait in ${waiting.join(', ')}: drop it when they are applied.`,
    );
  }
  const parked = await countSignedWith(access, publicKeyOf(key));
  if (parked > 0)
    throw new Error(`The old key has signed ${parked} parked events: put them back before it is dropped.`);
}

/** The queues that still have events after the time is over; none as soon as all are empty at once. */
async function waitingIn(url: string, queues: string[]): Promise<string[]> {
  const connection = await connect(url, { noDelay: true, timeout: 10_000, ...shownTo('rabbitmq') });
  connection.on('error', () => {});
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => {});
    for (const end = Date.now() + LOOK_FOR_MS; ; await sleep(LOOK_EVERY_MS)) {
      const waiting: string[] = [];
      for (const queue of queues) if ((await channel.checkQueue(queue)).messageCount > 0) waiting.push(queue);
      if (waiting.length === 0 || Date.now() > end) return waiting;
    }
  } finally {
    await connection.close().catch(() => {});
  }
}

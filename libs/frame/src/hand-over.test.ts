import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Envelope } from '@cobro/contracts/events.ts';
import { NOTHING_MISSED_MS } from '@cobro/contracts/hold-questions.ts';
import { testEvent } from '@cobro/testing/test-event.ts';
import { until } from '@cobro/testing/until.ts';
import { createLog, type Log } from '@cobro/service-kit/log.ts';
import { openTestMetrics } from '@cobro/testing/test-metrics.ts';
import { testPeer } from '@cobro/testing/test-peer.ts';
import type { ServiceClient } from '@cobro/service-kit/service-client.ts';
import { createHandOver } from './hand-over.ts';

const log = createLog({ service: 'holds', level: 'fatal' });
let peer: Awaited<ReturnType<typeof testPeer>>;
let client: ServiceClient;
interface Seen {
  method: string | undefined;
  url: string | undefined;
  body: unknown;
}
let seen: Seen[] = [];
/** How the other side answers: a status (bunches may have their own), or never. */
let answer: number | 'never' = 200;
let answerToBunch: number | undefined;
/** Answers wait for this promise. */
let answersFrom = Promise.resolve();

async function takeEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { method, url } = request;
  seen.push({ method, url, body: JSON.parse(Buffer.concat(chunks).toString()) });
  await answersFrom;
  const status = (url?.endsWith('/bunch') ? answerToBunch : undefined) ?? answer;
  if (status !== 'never') response.writeHead(status).end();
}

beforeAll(async () => {
  peer = await testPeer((request, response) => void takeEvents(request, response));
  ({ client } = peer);
});
beforeEach(() => {
  seen = [];
  answer = 200;
  answerToBunch = undefined;
  answersFrom = Promise.resolve();
});
afterAll(() => peer.stop());

describe('a hand-over', () => {
  const handOver = () => createHandOver({ client, log, target: 'payments' });
  /** Takes as long as it needs, because a slow machine may need more than 150 ms. */
  const patientHandOver = () =>
    createHandOver({ client, log, target: 'payments', withinMs: 60_000, slowAfterMs: 60_000 });

  test('brings the event', async () => {
    await patientHandOver()(testEvent('HoldCaptured'));
    expect(seen).toMatchObject([{ method: 'POST', url: '/internal/events' }]);
  });

  test('takes 150 ms at most and never fails', async () => {
    answer = 'never';
    const begun = performance.now();
    await handOver()(testEvent('HoldCaptured'));
    // Only the time limit can have ended it: the server never does.
    expect(performance.now() - begun).toBeLessThan(10_000);
    answer = 500;
    const refused = testEvent('HoldCaptured');
    await patientHandOver()(refused);
    expect(seen.filter(({ body }) => (body as Envelope).id === refused.id)).toHaveLength(1);
  });

  test('is left out for a second after five failures', async () => {
    answer = 500;
    const give = patientHandOver();
    for (let n = 0; n < 8; n++) await give(testEvent('HoldCaptured'));
    expect(seen).toHaveLength(5);
    answer = 200;
    // The clock of the machine is set back meanwhile.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
    await new Promise((later) => setTimeout(later, 1_050));
    await give(testEvent('HoldCaptured'));
    clock.mockRestore();
    expect(seen).toHaveLength(6);
  });

  test('that did not come about is logged, counted and written down, also while nothing is handed over', async () => {
    const metrics = openTestMetrics();
    const lines: unknown[] = [];
    const warn = (fields: object) => void lines.push(fields);
    const missed: string[] = [];
    answer = 500;
    const give = createHandOver({
      client,
      log: { warn } as unknown as Log,
      target: 'payments',
      missed: async ({ id }) => void missed.push(id),
      withinMs: 60_000,
      slowAfterMs: 60_000,
    });
    const events = Array.from({ length: 7 }, () => testEvent('HoldCaptured'));
    for (const event of events) expect(await give(event)).toBe(true);
    expect(missed).toEqual(events.map(({ id }) => id));
    expect(lines).toMatchObject(events.map(({ id }, i) => ({ eventId: id, reason: i < 5 ? 'Error' : 'paused' })));
    expect(await metrics.read('cobro.hand_overs.missed')).toEqual([
      { value: 5, attributes: { target: 'payments', reason: 'failed' } },
      { value: 2, attributes: { target: 'payments', reason: 'paused' } },
    ]);
    await metrics.stop();
  });

  test('that was missed is answered once nobody may rely any more on nothing being missed', async () => {
    answer = 500;
    let writtenAt = Number.POSITIVE_INFINITY;
    const missed = async () => void (writtenAt = performance.now());
    const options = { client, log, target: 'payments', missed, withinMs: 60_000, slowAfterMs: 60_000 };
    await createHandOver(options)(testEvent('HoldCaptured'));
    // Timers of Node may be a millisecond early.
    expect(performance.now() - writtenAt).toBeGreaterThanOrEqual(NOTHING_MISSED_MS - 1);
  });

  describe('of events that come while another one is handed over', () => {
    /** Hands one over, and the others while its answer is waited for. */
    async function handOverAll(first: Envelope, others: Envelope[]): Promise<void> {
      let open = () => {};
      answersFrom = new Promise((resolve) => (open = resolve));
      const give = patientHandOver();
      const given = [give(first)];
      await until('the first is on its way', () => seen.length === 1);
      given.push(...others.map(give));
      open();
      await Promise.all(given);
    }
    const events = Array.from({ length: 20 }, () => testEvent('HoldCaptured'));
    const [first = testEvent('HoldCaptured'), ...others] = events;
    const bodies = () => seen.map(({ body }) => body);
    const bySubject = (some: Envelope[]) => some.toSorted((a, b) => (a.subject < b.subject ? -1 : 1));

    test('goes in calls of sixteen', async () => {
      await handOverAll(first, others);
      const [one, bunch, rest, ...more] = bodies();
      expect(one).toMatchObject({ id: first.id });
      const ids = (body: unknown) => (body as Envelope[]).map(({ id }) => id);
      expect(ids(bunch)).toEqual(bySubject(others.slice(0, 16)).map(({ id }) => id));
      expect(ids(rest)).toEqual(bySubject(others.slice(16)).map(({ id }) => id));
      expect(more).toEqual([]);
    });

    test('keeps the order of those that are about one thing', async () => {
      const about = (subject: string) => ({ ...testEvent('HoldCaptured'), subject });
      const [a, b, c] = [about('one'), about('one'), about('another')] as const;
      await handOverAll(first, [a, b, c]);
      expect(bodies().map((body) => JSON.stringify(body))).toEqual(
        [first, [c, a], b].map((body) => JSON.stringify(body)),
      );
    });

    test.each([404, 500])('goes one by one where the call of several answers %d', async (status) => {
      answerToBunch = status;
      const some = others.slice(0, 3);
      await handOverAll(first, some);
      expect(seen.map(({ url }) => url)).toEqual([
        '/internal/events',
        '/internal/events/bunch',
        ...some.map(() => '/internal/events'),
      ]);
    });

    test('is given up when its 150 ms are over, and never fails; then nothing is handed over for a second', async () => {
      answer = 'never';
      const give = handOver();
      for (let n = 0; n < 3; n++) await Promise.all(events.map(give));
      const later = events.map(() => testEvent('HoldCaptured'));
      await Promise.all(later.map(give));
      // One may have been given up before it was sent, and another may arrive late.
      await until('a call has come', () => seen.length > 0);
      const brought = JSON.stringify(seen);
      expect(later.filter(({ id }) => brought.includes(id))).toEqual([]);
    });
  });
});

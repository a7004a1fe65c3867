import { setTimeout as sleep } from 'node:timers/promises';
import type { Payment } from '@cobro/contracts/payments.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import type { Answer } from './client.ts';
import { brokenPromises, type Work } from './load.ts';
import type { StackUnderTest } from './stack-under-test.ts';

const STALL_MS = 9_000;

/** A Postgres that stops replying, with its connections open, for longer than any request waits. */
export function postgresStalls({ postgres, merchant, agreed }: StackUnderTest): void {
  test('reads and writes are 503 and to be repeated, and afterwards all is as it was answered', async () => {
    const client = merchant();
    const card = await client.saveCard();
    const { id } = (await client.charge(card)).body;
    const work: Pick<Work, 'promised'> = { promised: new Map() };
    const answers: { what: string; status: number; code: unknown; retryAfter: string | null; at: number }[] = [];
    const stopping = new AbortController();

    const attempt = async (what: string, request: () => Promise<Answer<object>>) => {
      const { status, headers, body } = await request();
      const { code } = body as { code?: unknown };
      answers.push({ what, status, code, retryAfter: headers.get('retry-after'), at: performance.now() });
      return status === 200 || status === 201 ? (body as Payment) : undefined;
    };
    /** Until it is answered, the state of its payment is not known. */
    const move = async (what: string, about: string | undefined, request: () => Promise<Answer<Payment>>) => {
      if (about !== undefined) work.promised.delete(about);
      const payment = await attempt(what, request);
      if (payment !== undefined) work.promised.set(payment.id, payment.status);
      return payment;
    };
    const untilStopped = async (pauseMs: number, step: () => Promise<unknown>) => {
      while (!stopping.signal.aborted) {
        await step();
        await sleep(pauseMs);
      }
    };
    const charges = async () => {
      const charged = await move('charge', undefined, () => client.charge(card));
      if (charged !== undefined) await move('refund', charged.id, () => client.refund(card, charged.id));
    };
    const holds = async () => {
      const held = await move('hold', undefined, () => client.hold(card));
      if (held !== undefined) await move('capture', held.id, () => client.capture(card, held.id, 40));
    };
    const reads = [
      () => client.read(card, id),
      () => client.send('GET', `/payment-method/${card}/payment?pageSize=5`),
      () => client.send('GET', '/developer/v1/payment?limit=5'),
    ];
    const traffic = [
      ...[charges, holds, charges, holds].map((step) => untilStopped(20, step)),
      ...reads.map((read) => untilStopped(50, () => attempt('read', read))),
      // More than there are connections, so some wait for one.
      ...Array.from({ length: 20 }, () => untilStopped(100, () => attempt('read', () => client.read(card, id)))),
    ];

    await until('the traffic is under way', () => answers.length > 100);
    const begun = performance.now();
    await postgres.pause();
    await sleep(STALL_MS);
    await postgres.resume();
    const ended = performance.now();
    await until('it goes on', () => answers.filter(({ at, status }) => at > ended && status < 300).length > 100);
    stopping.abort();
    await Promise.all(traffic);

    const serious = answers.filter(({ status }) => status >= 500);
    const refused = serious.map(({ status, code, retryAfter }) => `${status} ${String(code)} ${retryAfter}`);
    // On a slow machine the gateway's ten seconds for a read may end first.
    expect(new Set(refused.filter((one) => !one.startsWith('504 GATEWAY_TIMEOUT')))).toEqual(
      new Set(['503 SERVICE_UNAVAILABLE 1']),
    );
    const during = serious.filter(({ at }) => at > begun && at < ended).map(({ what }) => what);
    expect(during).toContain('read');
    expect(during.filter((what) => what !== 'read').length).toBeGreaterThan(0);

    expect(await client.charge(card)).toMatchObject({ status: 201 });
    await expect(agreed()).resolves.toBeUndefined();
    expect(await brokenPromises(client, card, work)).toEqual([]);
  });
}

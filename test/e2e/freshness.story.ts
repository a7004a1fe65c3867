import { setTimeout as sleep } from 'node:timers/promises';
import type { Payment } from '@cobro/contracts/payments.ts';
import { handedOver } from '@cobro/testing/handed-over.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import type { StackUnderTest } from './stack-under-test.ts';

const TIMES = 50;
/** 100 ms is what normal running promises; a machine that runs other tests beside this is not that. */
const BOUND_MS = 20_000;

/** What was answered is what is read next: at once on the unversioned endpoints, soon in the developer API. */
export function freshness({ merchant, developer, broker, failedHandOvers }: StackUnderTest): void {
  /** The capture's answer, and what the next GET and list say of it. */
  const captureOnceAndRead = async (card: string) => {
    const { id } = (await merchant().hold(card)).body;
    const captured = await merchant().capture(card, id, 80);
    const [read, list] = await Promise.all([
      merchant().read(card, id),
      merchant().send<{ items: Payment[] }>('GET', `/payment-method/${card}/payment?status=CONFIRMED`),
    ]);
    return { captured: captured.body, read: read.body, listed: list.body.items.find((item) => item.id === id) };
  };
  const captureAndRead = (card: string) =>
    handedOver(() => captureOnceAndRead(card), {
      isFresh: ({ read, listed }) => read.status === 'CONFIRMED' && listed !== undefined,
      failures: failedHandOvers,
    });

  test('a capture is in the very next answer of payments', async () => {
    const card = await merchant().saveCard();
    for (let n = 0; n < 4; n++) {
      const { captured, read, listed } = await captureAndRead(card);
      expect(captured).toMatchObject({ status: 'CONFIRMED', amount: 80, heldAmount: 100 });
      expect([read, listed]).toEqual([captured, captured]);
    }
  });

  test('also while the broker is down; the developer API shows it when the broker is back', async () => {
    const card = await merchant().saveCard();
    await broker.stop();
    const ids: string[] = [];
    try {
      for (let n = 0; n < 2; n++) {
        const { captured, read, listed } = await captureAndRead(card);
        expect(captured).toMatchObject({ status: 'CONFIRMED', amount: 80 });
        expect([read, listed]).toEqual([captured, captured]);
        ids.push(captured.id);
      }
      const unseen = await developer(`/developer/v1/payment/${ids[0]}`);
      expect(unseen.status).toBe(404);
    } finally {
      await broker.start();
    }
    await until('reporting has caught up', async () => {
      const { body } = await developer(`/developer/v1/payment?paymentMethodId=${card}`);
      return ids.every((id) => (body['data'] as Payment[]).some((row) => row.id === id && row.status === 'CONFIRMED'));
    });
  });

  test('the developer API shows a capture soon', async () => {
    const card = await merchant().saveCard();
    const lags: number[] = [];
    for (let n = 0; n < TIMES; n++) {
      const { id } = (await merchant().hold(card)).body;
      await merchant().capture(card, id);
      const answered = performance.now();
      const shown = async () => (await developer(`/developer/v1/payment/${id}`)).body['status'];
      while ((await shown()) !== 'CONFIRMED' && performance.now() - answered < BOUND_MS) await sleep(5);
      lags.push(performance.now() - answered);
    }
    const sorted = lags.toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN);
    process.stderr.write(`capture answered to shown by the developer API: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`);
    expect(at(0.99)).toBeLessThan(BOUND_MS);
  });
}

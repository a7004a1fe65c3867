import { setTimeout as sleep } from 'node:timers/promises';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { bankOperations } from '@cobro/testing/bank-operations.ts';
import { until } from '@cobro/testing/until.ts';
import { sql } from '@cobro/postgres/database.ts';
import { expect, test } from '@jest/globals';
import { percentile } from '../../bench/figures.ts';
import type { Answer } from './client.ts';
import { traceOf } from './operator.ts';
import { orphans, readSpans } from './spans.ts';
import { BANK_CALL_TIMEOUT_MS, type StackUnderTest } from './stack-under-test.ts';

const CHARGES_PER_S = 45;
/** Longer than the bank's 5 s, so that without bounds unanswered calls would have taken every connection. */
const SECONDS = 6;
const WARM_UP_S = 3;
/** One card may have this number of calls to the bank under way, and as many again once those are given up. */
const CALLS_PER_CARD = 16;

interface Timed {
  status: number;
  code: unknown;
  retryAfter: string | null;
  ms: number;
  /** A `performance.now()` value. */
  endedAt: number;
}

const msOf = (answers: Timed[]) => answers.map(({ ms }) => ms);

/** Others get their outcomes. A busy machine may refuse one of ten early, with a 503. */
function expectServed(answers: Timed[], status: number): void {
  const others = answers.filter((answer) => answer.status !== status);
  expect(others.filter((answer) => answer.status !== 503)).toEqual([]);
  expect(others.length).toBeLessThanOrEqual(answers.length / 10);
}

/** A card whose bank does not answer is charged again and again; others must not notice. */
export function silentCard({ stack, merchant, db, agreed }: StackUnderTest): void {
  /** Sends at a fixed rate, as merchants do, whether or not earlier requests have been answered. */
  async function openLoop(seconds: number, perSecond: number, request: (n: number) => Promise<Answer<object>>) {
    const sent: Promise<Timed>[] = [];
    const timed = async (n: number): Promise<Timed> => {
      const begun = performance.now();
      const { status, body, headers } = await request(n);
      const { code } = body as { code?: unknown };
      const endedAt = performance.now();
      return { status, code, retryAfter: headers.get('retry-after'), ms: endedAt - begun, endedAt };
    };
    const begun = performance.now();
    for (let n = 0; n < seconds * perSecond; n++) {
      await sleep(Math.max(0, begun + (n * 1_000) / perSecond - performance.now()));
      sent.push(timed(n));
    }
    return Promise.all(sent);
  }

  /** The payment of a charge whose outcome was unknown. */
  let paymentId = '';

  test('its surplus is refused and unspent; other cards are charged and read as ever', async () => {
    const [owner, other] = [merchant(), merchant(stack().merchants.otherApiKey)];
    const silent = await owner.saveCard(testCards.silentDone);
    const [healthy, others] = [await owner.saveCard(), await other.saveCard()];
    const { id } = (await other.charge(others)).body;
    // Warms up: cold processes take each new connection one turn of the event loop later than the last.
    const [usual] = await Promise.all([
      openLoop(WARM_UP_S, 20, () => other.read(others, id)),
      openLoop(WARM_UP_S, CHARGES_PER_S, () => owner.charge(healthy)),
    ]);
    const externalId = (n: number) => `silent-${n}`;
    const begun = performance.now();

    const [charges, own, foreign, reads] = await Promise.all([
      openLoop(SECONDS, CHARGES_PER_S, (n) => owner.charge(silent, { externalId: externalId(n) })),
      openLoop(SECONDS, 3, () => owner.charge(healthy)),
      openLoop(SECONDS, 5, () => other.charge(others)),
      openLoop(SECONDS, 15, () => other.read(others, id)),
    ]);

    expectServed(reads, 200);
    // Nine of ten, because a busy machine may be late with any of them.
    expect(percentile(msOf(reads), 0.9)).toBeLessThan(Math.max(4_000, 3 * percentile(msOf(usual), 0.9)));
    expectServed([...own, ...foreign], 201);
    // On a slow machine some find no free database connection.
    const heard = charges.filter(({ code }) => code !== 'SERVICE_UNAVAILABLE');
    expect(heard.length).toBeGreaterThan(charges.length / 2);
    const shortly = heard.map(({ status, code, retryAfter }) => `${status} ${String(code)} ${retryAfter}`);
    expect(new Set(shortly)).toEqual(new Set(['202 undefined 1', '503 BANK_UNAVAILABLE 1']));
    const refused = charges.flatMap(({ status }, n) => (status === 503 ? [externalId(n)] : []));
    // Each call keeps its permit until it is given up. A slow machine sends for longer than `SECONDS`.
    const lastGivenUp = Math.max(...charges.map(({ status, endedAt }) => (status === 202 ? endedAt : begun)));
    const inTurn = Math.floor((lastGivenUp - begun) / BANK_CALL_TIMEOUT_MS);
    expect(charges.length - refused.length).toBeLessThanOrEqual(CALLS_PER_CARD * inTurn);
    const rows = await db('payments').many(sql`select from payment where external_id = any(${refused})`);
    expect(rows).toEqual([]);

    // A refused charge that is sent again is charged once.
    await until('what was asked is settled', async () => {
      const open = sql`select from bank_operation where status = 'open'`;
      return (await db('payments').many(open)).length === 0;
    });
    const salesBefore = (await bankOperations(stack().bankUrl)).length;
    const again = () => owner.charge(silent, { externalId: refused[0] });
    const unknown = await again();
    expect(unknown.status).toBe(202);
    paymentId = String((unknown.body as { id?: unknown }).id);
    await until('it is settled', async () => (await again()).status === 201);
    expect(await bankOperations(stack().bankUrl)).toHaveLength(salesBefore + 1);
    await expect(agreed()).resolves.toBeUndefined();
  });

  test('how an outcome that was unknown became known is a trace of its own, and npm run trace prints both', async () => {
    expect(paymentId).not.toBe('');
    const inquiries = () =>
      readSpans(stack().spansFile).filter(
        ({ name, attributes }) =>
          name === 'inquiry' && attributes['outcome'] === 'settled' && attributes['paymentId'] === paymentId,
      );
    const recovery = () => {
      const { traceId } = inquiries()[0] ?? { traceId: '' };
      return readSpans(stack().spansFile).filter((span) => span.traceId === traceId);
    };
    const services = ['payments', 'bank', 'reporting'];
    await until('all have a span in it', () => {
      const found = new Set(recovery().map(({ service }) => service));
      return services.every((one) => found.has(one)) && orphans(recovery()).length === 0;
    });
    const { code, text } = await traceOf(stack(), paymentId);
    const inOrder = [
      '1 inquiry',
      'Trace 1 of',
      'gateway   POST /api/payment-method/…/payment → 202',
      'payments      POST /v1/sales → no answer',
      '◆ no answer from the bank: outcome unknown',
      'payments  inquiry: settled',
      '◆ charge approved: payment CONFIRMED',
      'take PaymentConfirmed',
    ];
    expect({ code, missing: inOrder.filter((one) => !text.includes(one)) }).toEqual({ code: 0, missing: [] });
    expect(inOrder.toSorted((a, b) => text.indexOf(a) - text.indexOf(b))).toEqual(inOrder);
  });
}

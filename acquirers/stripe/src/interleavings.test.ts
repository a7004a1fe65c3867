import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inFull } from '@cobro/testing/in-full.ts';
import {
  adapterCharge as charge,
  type RunningStripeAdapter,
  settledAt,
  startStripeAdapter,
} from '@cobro/testing/start-stripe-adapter.ts';
import fc from 'fast-check';
import { findLocalstripe } from '../../../simulators/localstripe/src/find-programs.ts';
import type { Fault } from '../../../simulators/localstripe/src/stripe-rules.ts';

// This test has an adapter and a Stripe of its own, because it holds every request to Stripe.
const python = await findLocalstripe();

type Body = Record<string, unknown>;
interface Draw {
  pick: number;
  how: Fault['how'] | null;
}
/** A request, with inquiries about it and repeats of it at the same time. */
interface Step {
  kind: 'capture' | 'void' | 'refund';
  part: number;
  besides: ('inquire' | 'repeat')[];
}
interface Asked {
  path: string;
  body: Body;
  key: string;
}

const besides = fc.array(fc.constantFrom('inquire' as const, 'repeat' as const), { maxLength: 2 });
const part = fc.integer({ min: 1, max: 12 });
const endings: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('capture' as const, 'capture' as const, 'void' as const),
  part,
  besides,
});
const refunds: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('refund' as const), part, besides });
const draw: fc.Arbitrary<Draw> = fc.record({
  pick: fc.nat(11),
  how: fc.option(fc.constantFrom('cut' as const, 429 as const, 500 as const), { freq: 4 }),
});
interface History {
  isHold: boolean;
  besides: Step['besides'];
  endings: Step[];
  refunds: Step[];
  draws: Draw[];
}
const history: fc.Arbitrary<History> = fc.record({
  isHold: fc.boolean(),
  besides,
  endings: fc.array(endings, { maxLength: 3 }),
  refunds: fc.array(refunds, { maxLength: 3 }),
  draws: fc.array(draw, { maxLength: 60 }),
});

(python === undefined ? describe.skip : describe)('whatever is lost, and in whatever order it is done', () => {
  let adapter: RunningStripeAdapter;
  beforeAll(async () => {
    adapter = await startStripeAdapter(python as string);
  });
  afterAll(() => adapter?.close());

  /** Begins these in order, and releases each held request to Stripe (each is held twice) in the drawn order. */
  async function interleave(works: (() => Promise<unknown>)[], draws: Draw[]): Promise<void> {
    const held: ((how?: Fault['how']) => void)[] = [];
    let open = 0;
    const running: Promise<unknown>[] = [];
    adapter.rules.gate = () => new Promise((goOn) => held.push(goOn));
    while (works.length > 0 || open > 0) {
      // A moment in which released work reaches Stripe. If it is too short, another order is tried.
      await sleep(8);
      const choices = held.length + (works.length > 0 ? 1 : 0);
      if (choices === 0) continue;
      const { pick, how } = draws.shift() ?? { pick: 0, how: null };
      const [goOn] = held.splice(pick % choices, 1);
      if (goOn !== undefined) goOn(how ?? undefined);
      else {
        open++;
        running.push(
          works
            .shift()?.()
            .finally(() => open--) ?? Promise.resolve(),
        );
      }
    }
    adapter.rules.gate = undefined;
    await Promise.all(running);
  }

  /** Sends these requests and what comes besides, and returns each outcome, which no answer may contradict. */
  async function ask(asked: (Asked & Pick<Step, 'besides'>)[], draws: Draw[]): Promise<Body[]> {
    const answers: { key: string; status: number; body: Body }[] = [];
    const send = async ({ path, body, key }: Asked) => {
      answers.push({ key, ...(await adapter.post(path, body, key)) });
    };
    const works = asked.flatMap((one) => [
      () => send(one),
      ...one.besides.map((how) => () => (how === 'repeat' ? send(one) : adapter.inquire(one.key))),
    ]);
    await interleave(works, draws);
    const ended = new Map(
      await Promise.all(asked.map(async ({ key }) => [key, await settledAt(adapter, key)] as const)),
    );
    const closed = { outcome: 'not_found', closed: true };
    const said = answers.flatMap(({ key, status, body }) => {
      const isClosed = status === 503 || status === 400 || body['declineCode'] === 'key_closed';
      return isClosed || status === 200 ? [{ key, said: isClosed ? closed : body }] : [];
    });
    expect(said).toEqual(said.map(({ key }) => ({ key, said: ended.get(key) })));
    return asked.map(({ key }) => ended.get(key) ?? {});
  }

  test('what we believe is never less or more than what Stripe did', async () => {
    const token = await adapter.tokenOf();
    const isApproved = ({ outcome }: Body) => outcome === 'approved';
    const request = async ({ isHold, besides: beside, endings: ends, refunds: backs, draws }: History) => {
      const key = randomUUID();
      const left = [...draws];
      const path = isHold ? '/v1/authorizations' : '/v1/sales';
      const body = { ...charge(token, 10_000), ...(!isHold && { terms: 1 }) };
      const [begun = {}] = await ask([{ path, body, key, besides: beside }], left);
      const asked = (step: Step, on: object): Asked & Step => ({
        ...step,
        path: `/v1/${step.kind}s`,
        body: { ...on },
        key: randomUUID(),
      });
      const amountOf = (step: Step) => step.part * 1_000;

      const ending = isHold && isApproved(begun) ? ends : [];
      const ended = await ask(
        ending.map((step) =>
          asked(step, {
            authorization: begun['reference'],
            ...(step.kind === 'capture' && { amount: amountOf(step) }),
          }),
        ),
        left,
      );
      const captured = ending.findIndex(({ kind }, i) => kind === 'capture' && isApproved(ended[i] ?? {}));
      const isVoid = ending.some(({ kind }, i) => kind === 'void' && isApproved(ended[i] ?? {}));
      const [moved, at] = isHold ? [ended[captured], ending[captured]] : [begun, undefined];
      const original = isApproved(moved ?? {}) ? moved?.['reference'] : undefined;

      const back = original === undefined ? [] : backs;
      const given = await ask(
        back.map((step) => asked(step, { original, amount: amountOf(step) })),
        left,
      );
      const refunded = back.filter((_, i) => isApproved(given[i] ?? {})).reduce((sum, step) => sum + amountOf(step), 0);
      expect(await adapter.rules.truthOf(key)).toEqual({
        held: isHold && isApproved(begun) && captured === -1 && !isVoid ? 10_000 : 0,
        moved: original === undefined ? 0 : at === undefined ? 10_000 : amountOf(at),
        refunded,
      });
    };
    await fc.assert(fc.asyncProperty(history, request), { numRuns: inFull ? 200 : 12, endOnFailure: true });
  });
});

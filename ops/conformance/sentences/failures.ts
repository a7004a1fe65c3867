import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { must, mustBeSame } from '../broken.ts';
import { type Kit, needsClosing, needsRestart, type Sentence } from '../sentence.ts';
import type { Asked, Till } from '../till.ts';
import { mustBeClosed, whenDecided } from './inquiries.ts';
import { mustRepeat } from './keys.ts';

/** Checks that an inquiry and a repeat agree about a request whose answer was lost. Returns whether it was done. */
async function mustAgree(till: Till, key: string, body: Asked['body'], close: boolean): Promise<boolean> {
  const found = await whenDecided(till, key, close);
  if (found['outcome'] === 'not_found') {
    if (close) await mustBeClosed(till, 'sale', body, key);
    return false;
  }
  must(found['outcome'] === 'approved', `the inquiry says ${JSON.stringify(found)}`);
  await mustRepeat(till, { kind: 'sale', key, body, answer: found });
  return true;
}

/** Sends sales until it is stopped, and keeps every key that it has sent, with the answer if one came. */
function sellOnAndOn({ till }: Kit, token: string) {
  const sent = new Map<string, Asked | undefined>();
  const body = till.bodies.sale(token, till.amount);
  const stopping = new AbortController();
  const lane = async () => {
    while (!stopping.signal.aborted) {
      const key = randomUUID();
      sent.set(key, undefined);
      const answered = await till.send('sale', body, key).catch(() => undefined);
      if (answered?.status === 200) sent.set(key, { kind: 'sale', key, body, answer: answered.body });
      if (answered === undefined) return;
    }
  };
  const lanes = Promise.all(Array.from({ length: 8 }, lane));
  return {
    sent,
    body,
    stop: () => {
      stopping.abort();
      return lanes;
    },
  };
}

/** Connections that are cut, and a process that dies. */
export const failures: Sentence[] = [
  {
    name: 'cut-request',
    says: 'A request whose connection is cut in the middle does nothing.',
    hold: async ({ acquirer, till }) => {
      const body = till.bodies.sale(await till.tokenOf(), till.amount);
      const key = randomUUID();
      const call = await acquirer.begin('sale', { body, headers: { 'idempotency-key': key } });
      call.cut();
      const { outcome } = await whenDecided(till, key);
      must(outcome === 'not_found', `the inquiry says ${String(outcome)}`);
      await till.approved('sale', body, key);
    },
  },
  {
    name: 'cut-answer',
    says: 'A request whose answer is cut was done or was not, and an inquiry and a repeat agree on it.',
    hold: async ({ acquirer, till }) => {
      const body = till.bodies.sale(await till.tokenOf(), till.amount);
      let done = 0;
      for (let round = 0; round < 12; round++) {
        const key = randomUUID();
        const afterMs = round < 4 ? 30_000 : round - 4;
        await acquirer.cutAnswer('sale', { body, headers: { 'idempotency-key': key } }, afterMs);
        if (await mustAgree(till, key, body, round % 2 === 0)) done++;
        else must(round >= 4, 'the answer had begun, and then nothing was done');
      }
      must(done >= 4, `only ${done} of the 12 were done`);
    },
  },
  {
    name: 'restart-between',
    says: 'The process is killed and started again between any two steps, and every step goes on from the one before.',
    cannot: needsRestart,
    hold: async ({ till, restart }) => {
      const { bodies } = till;
      const done: Asked[] = [];
      const step = async (asked: Promise<Asked>): Promise<Asked> => {
        done.push(await asked);
        await restart?.();
        return asked;
      };
      const tokenized = await step(till.approved('tokenize', bodies.card()));
      const token = String(tokenized.answer['token']);
      const authorization = await step(till.approved('authorize', bodies.charge(token, till.amount)));
      const capture = await step(till.capture(authorization, till.amount));
      await step(till.refund(capture, till.part));
      await step(till.refund(capture, till.amount - till.part));
      await step(till.declinedWith('amount_exceeds_captured', 'refund', bodies.refund(capture, till.part)));
      for (const asked of done) {
        await mustRepeat(till, asked);
        mustBeSame(
          await till.inquire(asked.key, true),
          asked.answer,
          `an inquiry after a restart and the ${asked.kind}`,
        );
      }
    },
  },
  {
    name: 'restart-closed',
    says: 'A closed key stays closed after the process was killed and started again.',
    cannot: (kit) => needsRestart(kit) ?? needsClosing(kit),
    hold: async ({ till, restart }) => {
      const key = randomUUID();
      const body = till.bodies.sale(await till.tokenOf(), till.amount);
      await till.inquire(key, true);
      await restart?.();
      await mustBeClosed(till, 'sale', body, key);
    },
  },
  {
    name: 'restart-under-load',
    says: 'The process is killed while it works: what it answered stands, and all else was done once or not at all.',
    cannot: needsRestart,
    hold: async (kit) => {
      const { till, restart } = kit;
      const { sent, body, stop } = sellOnAndOn(kit, await till.tokenOf());
      for (let waited = 0; waited < 300 && ![...sent.values()].some((asked) => asked !== undefined); waited++) {
        await sleep(100);
      }
      await restart?.();
      await stop();
      const answered = [...sent.values()].filter((asked) => asked !== undefined);
      must(answered.length > 0, 'nothing was answered before it was killed');
      for (const asked of answered) {
        mustBeSame(await till.inquire(asked.key, true), asked.answer, 'an inquiry after a restart and the sale');
        await mustRepeat(till, asked);
      }
      const unanswered = [...sent].filter(([, asked]) => asked === undefined);
      const closes = kit.capabilities.inquiry === 'close';
      for (const [key] of unanswered) await mustAgree(till, key, body, closes);
    },
  },
];

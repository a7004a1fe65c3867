import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../acquirer.ts';
import { must, mustBeSame } from '../broken.ts';
import { type Kit, needsClosing, type Sentence } from '../sentence.ts';
import type { Asked, Till } from '../till.ts';
import { mustRepeat, oneOfEach } from './keys.ts';

const isFinal = ({ outcome, closed }: Json) => outcome === 'not_found' && closed === true;

/** Checks that the key is declined for ever, and that inquiries go on to say so. */
export async function mustBeClosed(till: Till, kind: Asked['kind'], body: Asked['body'], key: string): Promise<void> {
  await till.declinedWith('key_closed', kind, body, key);
  await till.declinedWith('key_closed', kind, body, key);
  for (const close of [false, true]) {
    const found = await till.inquire(key, close);
    must(isFinal(found), `an inquiry about a closed key answered ${JSON.stringify(found)}`);
  }
}

/** Asks until the operation is not in progress any more. */
export async function whenDecided(till: Till, key: string, close = false): Promise<Json> {
  for (let asked = 0; asked < 100; asked++) {
    const found = await till.inquire(key, close);
    if (found['outcome'] !== 'in_progress') return found;
    await sleep(100);
  }
  return { outcome: 'in_progress' };
}

/** Sends the call and an inquiry that closes its key at once. Both must say the same. */
async function raceToClose({ till }: Kit, token: string, waitMs: number): Promise<void> {
  const key = randomUUID();
  const body = till.bodies.charge(token, till.amount);
  const [called, found] = await Promise.all([
    till.send('authorize', body, key),
    sleep(waitMs).then(() => till.inquire(key, true)),
  ]);
  const closed = isFinal(found);
  const said = `the call was answered ${called.status} ${JSON.stringify(called.body)}, the inquiry ${JSON.stringify(found)}`;
  must(called.status === 200 || called.status === 409, said);
  const decided = called.status === 200 ? called.body : await whenDecided(till, key);
  if (closed) return mustBeClosed(till, 'authorize', body, key);
  must(decided['outcome'] === 'approved', said);
  mustBeSame(await till.inquire(key, true), decided, 'an inquiry afterwards and the answer of the call');
}

/** What an inquiry says, and what closing does. */
export const inquiries: Sentence[] = [
  {
    name: 'inquiry-repeats',
    says: 'An inquiry gives the answer of the operation: every kind, approved or declined.',
    hold: async ({ till }) => {
      const authorization = await till.authorize(till.amount);
      const declined = await till.decided('capture', till.bodies.capture(authorization, till.amount + 1));
      for (const { kind, key, answer } of [...(await oneOfEach(till)), declined]) {
        mustBeSame(await till.inquire(key), answer, `an inquiry about a ${kind} and its answer`);
      }
    },
  },
  {
    name: 'inquiry-leaves-open',
    says: 'An inquiry without close says not_found, and leaves the key usable.',
    hold: async ({ till }) => {
      const key = randomUUID();
      const { outcome, closed } = await till.inquire(key);
      mustBeSame({ outcome, closed }, { outcome: 'not_found', closed: false }, 'the inquiry and what it should say');
      await till.approved('sale', till.bodies.sale(await till.tokenOf(), till.amount), key);
    },
  },
  {
    name: 'close-before',
    says: 'After an inquiry has closed a key, a call that arrives with it is declined key_closed, of every kind, and does nothing.',
    cannot: needsClosing,
    hold: async ({ till }) => {
      const { bodies } = till;
      const token = await till.tokenOf();
      const authorization = await till.approved('authorize', bodies.charge(token, till.amount));
      const sold = await till.approved('sale', bodies.sale(token, till.amount));
      const late: [Asked['kind'], Json][] = [
        ['tokenize', bodies.card()],
        ['authorize', bodies.charge(token, till.amount)],
        ['sale', bodies.sale(token, till.amount)],
        ['void', bodies.void(authorization)],
        ['capture', bodies.capture(authorization, till.amount)],
        ['refund', bodies.refund(sold, till.amount)],
      ];
      for (const [kind, body] of late) {
        const key = randomUUID();
        const found = await till.inquire(key, true);
        must(isFinal(found), `closing a key answered ${JSON.stringify(found)}`);
        await mustBeClosed(till, kind, body, key);
      }
      // Neither the void nor the capture nor the refund was done.
      await till.capture(authorization, till.amount);
      await till.refund(sold, till.amount);
    },
  },
  {
    name: 'close-during',
    says: 'Of a call and an inquiry that closes its key at the same moment, one wins, and both say which.',
    cannot: needsClosing,
    hold: async (kit) => {
      const token = await kit.till.tokenOf();
      for (let round = 0; round < 20; round++) await raceToClose(kit, token, round % 5);
    },
  },
  {
    name: 'close-on-the-way',
    says: 'A request that is on its way while its key is closed does nothing when it arrives.',
    cannot: needsClosing,
    hold: async ({ acquirer, till }) => {
      const body = till.bodies.sale(await till.tokenOf(), till.amount);
      const key = randomUUID();
      const call = await acquirer.begin('sale', { body, headers: { 'idempotency-key': key } });
      const found = await till.inquire(key, true);
      const { status, body: answer } = await call.end();
      if (isFinal(found)) {
        must(answer['declineCode'] === 'key_closed', `it was answered ${status} ${JSON.stringify(answer)}`);
        return mustBeClosed(till, 'sale', body, key);
      }
      must(
        answer['outcome'] === 'approved',
        `it was answered ${JSON.stringify(answer)}, the inquiry ${JSON.stringify(found)}`,
      );
    },
  },
  {
    name: 'close-after',
    says: 'A key whose operation was decided is not closed by an inquiry.',
    hold: async ({ till }) => {
      const sold = await till.sell(till.amount);
      const authorization = await till.authorize(till.amount);
      const declined = await till.decided('capture', till.bodies.capture(authorization, till.amount + 1));
      for (const asked of [sold, authorization, declined]) {
        mustBeSame(await till.inquire(asked.key, true), asked.answer, `an inquiry that closes and the ${asked.kind}`);
        await mustRepeat(till, asked);
      }
      await till.refund(sold, till.amount);
    },
  },
];

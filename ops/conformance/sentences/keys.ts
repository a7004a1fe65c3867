import { randomUUID } from 'node:crypto';
import { must, mustBeSame } from '../broken.ts';
import type { Sentence } from '../sentence.ts';
import type { Asked, Till } from '../till.ts';

/** One approved operation of every kind. */
export async function oneOfEach(till: Till): Promise<Asked[]> {
  const tokenized = await till.approved('tokenize', till.bodies.card());
  const token = String(tokenized.answer['token']);
  const authorize = () => till.approved('authorize', till.bodies.charge(token, till.amount));
  const authorization = await authorize();
  const capture = await till.capture(authorization, till.amount);
  const voided = await authorize();
  return [
    tokenized,
    authorization,
    capture,
    await till.refund(capture, till.part),
    await till.approved('sale', till.bodies.sale(token, till.amount)),
    voided,
    await till.approved('void', till.bodies.void(voided)),
  ];
}

export async function mustRepeat(till: Till, asked: Asked): Promise<void> {
  const { status, body } = await till.repeat(asked);
  must(status === 200, `a repeat of the ${asked.kind} was answered ${status} ${JSON.stringify(body)}`);
  mustBeSame(asked.answer, body, `a ${asked.kind} and its repeat`);
}

const AT_ONCE = 20;

/** Sends the same request many times at once. Returns the one answer. */
async function manyAtOnce(till: Till, kind: Asked['kind'], body: Asked['body']): Promise<Asked> {
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => till.send(kind, body, key)));
  const decided = answers.filter(({ status }) => status === 200);
  const [first] = decided;
  must(first !== undefined, `${AT_ONCE} times the same ${kind} at once: none was decided`);
  for (const { status, body: answer } of answers) {
    must(status === 200 || status === 409, `one of ${AT_ONCE} times the same ${kind} was answered ${status}`);
    if (status === 200) mustBeSame(first.body, answer, `the same ${kind} at once`);
  }
  must(first.body['outcome'] === 'approved', `the ${kind} was not approved: ${JSON.stringify(first.body)}`);
  return { kind, key, body, answer: first.body };
}

/** Keys make each operation happen once. */
export const keys: Sentence[] = [
  {
    name: 'same-key',
    says: 'The same request under the same key gets the same answer: every kind of operation, approved.',
    hold: async ({ till }) => {
      for (const asked of await oneOfEach(till)) await mustRepeat(till, asked);
    },
  },
  {
    name: 'same-decline',
    says: 'The same request under the same key is declined the same.',
    hold: async ({ till }) => {
      const authorization = await till.authorize(till.amount);
      await mustRepeat(till, await till.decided('capture', till.bodies.capture(authorization, till.amount + 1)));
      await mustRepeat(till, await till.decided('refund', till.bodies.refund(authorization, till.amount)));
      await till.capture(authorization, till.amount);
      await mustRepeat(till, await till.decided('void', till.bodies.void(authorization)));
    },
  },
  {
    name: 'same-key-at-once',
    says: 'The same request twenty times at once under one key moves money once, and each gets that answer or 409.',
    hold: async ({ till }) => {
      const token = await till.tokenOf();
      await manyAtOnce(till, 'tokenize', till.bodies.card());
      const sale = await manyAtOnce(till, 'sale', till.bodies.sale(token, till.amount));
      const authorization = await manyAtOnce(till, 'authorize', till.bodies.charge(token, till.amount));
      await manyAtOnce(till, 'capture', till.bodies.capture(authorization, till.part));
      const voided = await till.authorize(till.amount);
      await manyAtOnce(till, 'void', till.bodies.void(voided));
      const refund = await manyAtOnce(till, 'refund', till.bodies.refund(sale, till.part));
      // If the refund had been done twice, the rest could not be refunded.
      await till.refund(sale, till.amount - till.part);
      await mustRepeat(till, refund);
    },
  },
  {
    name: 'key-reused',
    says: 'Another request under a key is 422 and does nothing.',
    hold: async ({ till }) => {
      const [token, other] = [await till.tokenOf(), await till.tokenOf()];
      const { sale, charge } = till.bodies;
      const sold = await till.approved('sale', sale(token, till.amount));
      const refused: [Asked['kind'], Asked['body']][] = [
        ['sale', sale(token, till.amount + 1)],
        ['sale', sale(other, till.amount)],
        ['authorize', charge(token, till.amount)],
        ['refund', till.bodies.refund(sold, till.amount)],
      ];
      for (const [kind, body] of refused) {
        const { status } = await till.send(kind, body, sold.key);
        must(status === 422, `a ${kind} ${JSON.stringify(body)} under the key of a sale was answered ${status}`);
      }
      await mustRepeat(till, sold);
      // If the refund under the sale's key had been done, this one would be declined.
      await till.refund(sold, till.amount);
    },
  },
  {
    name: 'key-letters',
    says: 'Capital and small letters of a key are the same key.',
    hold: async ({ till }) => {
      const sold = await till.sell(till.amount);
      await mustRepeat(till, { ...sold, key: sold.key.toUpperCase() });
      mustBeSame(await till.inquire(sold.key.toUpperCase()), sold.answer, 'an inquiry in capital letters and the sale');
    },
  },
];

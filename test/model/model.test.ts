import { setFaults } from '@cobro/testing/bank-faults.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stackUnderTest } from '../e2e/stack-under-test.ts';
import type { Model } from './model.ts';
import { runSteps } from './run-steps.ts';
import { stepsOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

const { MODEL_SEED } = process.env;
/** A failure names its seed: `MODEL_SEED=<it> npm test -- test/model` runs it again. Fixed seeds have fewer steps. */
const failed = MODEL_SEED === undefined ? [] : [Number(MODEL_SEED)];
const FIXED = [1, 2];
const drawn = () => Array.from({ length: 50 }, () => Math.floor(Math.random() * 2 ** 31));
const seeds = inFull ? drawn() : FIXED;
const STEPS = inFull || failed.length > 0 ? 60 : 30;
/** A failure ends the run of its seed; the run of a given seed then looks this long for fewer steps that fail. */
const SHRINK_MS = 200_000;
const atFailure =
  failed.length === 0 ? { endOnFailure: true } : { interruptAfterTimeLimit: SHRINK_MS, markInterruptAsFailure: true };

const { stack, agreed } = stackUnderTest({ telemetry: false, env: { gateway: { TRUSTED_PROXY_HOPS: '1' } } });

const declineNextSale = () => setFaults(stack().bankUrl, { next: [{ kind: 'sale', fault: 'decline' }] });

interface Listed {
  id: string;
  status: string;
  amount: number;
  operationCode: number;
}

/** The developer API's list of all payments of the merchant, which has no more than 100. */
async function listed({ merchant }: World): Promise<Listed[]> {
  const { body } = await merchant<{ data: Listed[] }>('GET', '/developer/v1/payment?limit=100');
  return body.data;
}

/** The model's payments that the list lacks or shows differently. A link's payment is found by its operation code. */
const unlisted = ({ payments }: Model, list: Listed[]) =>
  payments.filter(
    ({ id, operationCode, status, amount }) =>
      !list.some(
        (shown) =>
          (id === undefined || shown.id === id) &&
          (operationCode === undefined || shown.operationCode === operationCode) &&
          shown.status === status &&
          shown.amount === amount / 100,
      ),
  );

test.each(failed.length === 0 ? seeds : failed)(
  'what a merchant may do comes out as the model says, seed %i',
  async (seed) => {
    const property = fc.asyncProperty(stepsOf(STEPS), async (steps) => {
      const world = await openWorld(stack());
      const model = await runSteps({ world, declineNextSale }, steps);
      await agreed();
      const list = await listed(world);
      expect(unlisted(model, list)).toEqual([]);
      expect(list).toHaveLength(model.payments.length);
    });
    await fc.assert(property, { seed, numRuns: 1, ...atFailure });
  },
);

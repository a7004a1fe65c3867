import { DEFAULT_ACQUIRER } from '@cobro/contracts/acquirer-name.ts';
import { acquirerAnswer } from '@cobro/contracts/intent-questions.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { putLast } from '@cobro/limits/bounded-map.ts';
import { NEEDED_ANSWER_MS, type ServiceClient } from '@cobro/service-kit/service-client.ts';

/** Whose vault gets the organization's next card. @throws Refusal where payments does not say, and has not said lately */
export type AcquirerOf = (organizationId: string, deadline: number) => Promise<string>;

interface Said {
  acquirer: string;
  /** A `performance.now()` value. */
  at: number;
}

/** How long payments' last answer stands in for one that does not come. */
const REMEMBERED_MS = 10 * 60_000;
const MOST_REMEMBERED = 10_000;
/** How long an answer is waited for where the last one can stand in for it. */
const PATIENCE_MS = 1_000;

/**
 * Asks payments each time, also where this process knows one acquirer only, because during a roll-out payments may know more. While
 * payments does not answer, cards go where it said last, so that a tap needs no payments that is up.
 */
export function createAcquirerOf(
  payments: Pick<ServiceClient, 'get'>,
  now: () => number = () => performance.now(),
): AcquirerOf {
  const remembered = new Map<string, Said>();
  return async (organizationId, deadline) => {
    const before = remembered.get(organizationId);
    const last = before !== undefined && now() - before.at < REMEMBERED_MS ? before.acquirer : undefined;
    const path = `/internal/organizations/${organizationId}/acquirer`;
    try {
      const answer = await payments.get(path, deadline, last === undefined ? NEEDED_ANSWER_MS : PATIENCE_MS);
      // A payments of release 0.1.0, which does not have the route, knows of one acquirer.
      const acquirer = answer === undefined ? DEFAULT_ACQUIRER : acquirerAnswer.parse(answer).acquirer;
      putLast(remembered, MOST_REMEMBERED, organizationId, { acquirer, at: now() });
      return acquirer;
    } catch (error) {
      if (last === undefined || !(error instanceof Refusal)) throw error;
      return last;
    }
  };
}

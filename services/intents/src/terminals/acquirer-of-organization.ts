import { DEFAULT_ACQUIRER } from '@cobro/contracts/acquirer-name.ts';
import { acquirerAnswer } from '@cobro/contracts/intent-questions.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { putLast } from '@cobro/limits/bounded-map.ts';
import { NEEDED_ANSWER_MS, type ServiceClient } from '@cobro/service-kit/service-client.ts';

/** The acquirer whose vault gets the organization's next card. @throws Refusal if payments has not answered for ten minutes */
export type AcquirerOf = (organizationId: string, deadline: number) => Promise<string>;

interface Said {
  acquirer: string;
  /** A `performance.now()` value. */
  at: number;
}

/** How long payments' last answer is used if no new one comes. */
const REMEMBERED_MS = 10 * 60_000;
const MOST_REMEMBERED = 10_000;
/** How long to wait for a new answer if the last one can be used. */
const PATIENCE_MS = 1_000;

/**
 * Asks payments each time, even if this process knows only one acquirer, because during a roll-out payments may know more. While
 * payments does not answer, its last answer is used, so that a tap does not need payments.
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
      // Payments of release 0.1.0 does not have the route and knows one acquirer.
      const acquirer = answer === undefined ? DEFAULT_ACQUIRER : acquirerAnswer.parse(answer).acquirer;
      putLast(remembered, MOST_REMEMBERED, organizationId, { acquirer, at: now() });
      return acquirer;
    } catch (error) {
      if (last === undefined || !(error instanceof Refusal)) throw error;
      return last;
    }
  };
}

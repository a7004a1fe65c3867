import { DEFAULT_ACQUIRER } from '@cobro/contracts/acquirer-name.ts';
import { acquirerAnswer } from '@cobro/contracts/intent-questions.ts';
import { NEEDED_ANSWER_MS } from '@cobro/service-kit/service-client.ts';
import type { Deps } from '../deps.ts';

/** Whose vault gets the organization's next card, as payments says. Where there is one acquirer only, payments is not asked. */
export async function acquirerOf(
  { payments, vault }: Pick<Deps, 'payments' | 'vault'>,
  organizationId: string,
  deadline: number,
): Promise<string> {
  if (vault.acquirers.length === 1) return DEFAULT_ACQUIRER;
  const path = `/internal/organizations/${organizationId}/acquirer`;
  const answer = await payments.get(path, deadline, NEEDED_ANSWER_MS);
  // A payments of release 0.1.0, which does not have the route, knows of one acquirer.
  return answer === undefined ? DEFAULT_ACQUIRER : acquirerAnswer.parse(answer).acquirer;
}

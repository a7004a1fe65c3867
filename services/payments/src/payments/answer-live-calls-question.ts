import type { AnswerOf } from '@cobro/contracts/route.ts';
import type { askForLiveCalls as contract } from '@cobro/contracts/routes/internal.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';

/** GET /internal/live-calls: the sweep of holds makes way while requests call the bank. Asks no database. */
export async function answerLiveCallsQuestion(deps: Deps): Promise<AnswerOf<typeof contract>> {
  return ok({ areFrequent: deps.journal.isBankCalledLive() });
}

import { uuid } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { showCheckout as contract } from '@cobro/contracts/routes/one-time-payments.ts';
import type { Deps } from '../deps.ts';
import { answerPage, currentView, languageOf } from './checkout-page.ts';
import { findLinkToPay } from './link-to-pay.ts';

type Answer = AnswerOf<typeof contract>;

/** GET /checkout/{id}, public: the page in the state that the link is in. */
export async function showCheckout(deps: Deps, { params, query, from }: InputOf<typeof contract>): Promise<Answer> {
  const { id } = params;
  const language = languageOf(from, query.lang);
  try {
    const found = uuid.safeParse(id).success ? await findLinkToPay(deps.db, id) : undefined;
    if (found === undefined) return answerPage(deps, { state: 'not-found', language, id });
    return answerPage(deps, await currentView(deps, found, { language, attempt: query.attempt ?? null }));
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return answerPage(deps, { state: 'unavailable', language, id });
  }
}

const isUnavailable = (error: unknown) =>
  (error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE') ||
  (error as Error | undefined)?.name === 'DatabaseUnavailable';

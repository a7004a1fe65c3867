import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { showCheckout as contract } from '@cobro/contracts/routes/checkout.ts';
import type { Deps } from '../deps.ts';
import { answerPage, languageOf } from './checkout-page.ts';
import { findCheckout } from './find-checkout.ts';

type Answer = AnswerOf<typeof contract>;

/** GET /checkout/{id}, public: shows the state of the one-time payment or payment link. */
export async function showCheckout(deps: Deps, { params, query, from }: InputOf<typeof contract>): Promise<Answer> {
  const { id } = params;
  const language = languageOf(from, query.lang);
  try {
    const checkout = await findCheckout(deps, id);
    if (checkout === undefined) return answerPage(deps, { state: 'not-found', language, id });
    return answerPage(deps, await checkout.view({ language, attempt: query.attempt ?? null }));
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return answerPage(deps, { state: 'unavailable', language, id });
  }
}

const isUnavailable = (error: unknown) =>
  (error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE') ||
  (error as Error | undefined)?.name === 'DatabaseUnavailable';

import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { showCheckout as contract } from '@cobro/contracts/routes/checkout.ts';
import type { Deps } from '../deps.ts';
import { answerPage, languageOf, unlessUnavailable } from './checkout-page.ts';
import { findCheckout } from './find-checkout.ts';

type Answer = AnswerOf<typeof contract>;

/** GET /checkout/{id}, public: shows the state of the one-time payment or payment link. */
export async function showCheckout(deps: Deps, { params, query, from }: InputOf<typeof contract>): Promise<Answer> {
  const { id } = params;
  const language = languageOf(from, query.lang);
  return unlessUnavailable(deps, { language, id }, async () => {
    const checkout = await findCheckout(deps, id);
    if (checkout === undefined) return answerPage(deps, { state: 'not-found', language, id });
    return answerPage(deps, await checkout.view({ language, attempt: query.attempt ?? null }));
  });
}

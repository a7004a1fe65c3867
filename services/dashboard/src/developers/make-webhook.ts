import { holdsCardData } from '@cobro/contracts/card-data.ts';
import {
  createWebhookPage,
  type CreateWebhookView,
  type TypedWebhook,
  webhookSecretPage,
} from '@cobro/dashboard/developers/webhook-forms.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { problemOf } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field } from '../http/visit.ts';

const once = { attempts: 1 };

/** GET /developers/webhooks/new */
export const showMakeWebhook = async (deps: Deps, visit: SignedIn): Promise<Answer> =>
  draw(deps, visit, { typed: { url: '', types: [], description: '' }, problem: null });

/** POST /developers/webhooks: shows the secret this once. */
export async function makeWebhook(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { url, types, description } = typedWebhook(visit);
  const body = { url, types: types as never, ...(description !== '' && { description }) };
  const result = await audited(deps, visit, {
    what: 'webhook.create',
    target: null,
    send: () => visit.api.webhookEndpoints.create(body, once).result(),
  });
  if (result.kind === 'done') return showSecret(deps, visit, result.value);
  return draw(deps, visit, { typed: withoutCards(typedWebhook(visit)), problem: problemOf(visit, result) });
}

export const typedWebhook = ({ form }: SignedIn): TypedWebhook => ({
  url: field(form, 'url'),
  types: form.getAll('types'),
  description: field(form, 'description'),
});

/** What was typed, to be shown again, without card numbers. */
export function withoutCards({ url, types, description }: TypedWebhook): TypedWebhook {
  const kept = (text: string) => (holdsCardData(text) ? '' : text);
  return { url: kept(url), types: types.map(kept), description: kept(description) };
}

const draw = (deps: Deps, visit: SignedIn, view: CreateWebhookView): Answer =>
  show(deps, visit, (frame) => createWebhookPage(frame, view));

export const showSecret = (deps: Deps, visit: SignedIn, made: { id: string; secret: string }): Answer =>
  show(deps, visit, (frame) => webhookSecretPage(frame, made));

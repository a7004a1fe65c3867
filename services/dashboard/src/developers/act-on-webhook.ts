import type { Result } from '@cobro/client/refusal.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';

import {
  type TypedWebhook,
  webhookActionPage,
  type WebhookActionView,
} from '@cobro/dashboard/developers/webhook-forms.ts';
import { type WebhookAction, webhookActions } from '@cobro/dashboard/developers/webhook-words.ts';
import { type ShownWebhook, webhookHref } from '@cobro/dashboard/developers/webhooks-page.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { problemOf } from '../http/problem.ts';
import { idIn } from '../http/reading.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { showSecret, typedWebhook, withoutCards } from './make-webhook.ts';
import { drawWebhook, readWebhook } from './show-webhooks.ts';
import { timeInCity } from './since.rules.ts';

const once = { attempts: 1 };

/** GET /developers/webhooks/{id}/{action} */
export async function showWebhookAction(deps: Deps, visit: SignedIn): Promise<Answer> {
  const action = actionIn(visit);
  const endpoint = await readWebhook(visit);
  return draw(deps, visit, action, endpoint, {
    typed: typedOf(endpoint),
    since: '',
    isWrongSince: false,
    problem: null,
  });
}

/** POST /developers/webhooks/{id}/{action} */
export async function actOnWebhook(deps: Deps, visit: SignedIn): Promise<Answer> {
  const action = actionIn(visit);
  const endpoint = await readWebhook(visit);
  const typed = field(visit.form, 'since');
  const since = action === 'replay' ? timeInCity(typed) : undefined;
  if (action === 'replay' && since === undefined) {
    return draw(deps, visit, action, endpoint, {
      typed: typedOf(endpoint),
      since: '',
      isWrongSince: true,
      problem: null,
    });
  }
  const result = await audited(deps, visit, {
    what: `webhook.${action}`,
    target: endpoint.id,
    send: () => send(visit, action, endpoint.id, since),
  });
  if (result.kind !== 'done') {
    return draw(deps, visit, action, endpoint, {
      typed: withoutCards(typedWebhook(visit)),
      since: typed,
      isWrongSince: false,
      problem: problemOf(visit, result),
    });
  }
  if (action === 'secret') {
    return showSecret(deps, visit, { id: endpoint.id, secret: (result.value as { secret: string }).secret });
  }
  if (action === 'replay') {
    return redirect(`${webhookHref(endpoint.id)}?replayed=${(result.value as { count: number }).count}`);
  }
  return redirect(
    action === 'delete' ? '/developers/webhooks?done=delete' : `${webhookHref(endpoint.id)}?done=${action}`,
  );
}

const typedOf = ({ url, types, description }: ShownWebhook): TypedWebhook => ({
  url,
  types,
  description: description ?? '',
});

function send(visit: SignedIn, action: WebhookAction, id: string, since?: Date): Promise<Result<unknown>> {
  const { api, form } = visit;
  const { webhookEndpoints } = api;
  switch (action) {
    case 'change': {
      const { url, types, description } = typedWebhook(visit);
      const changes = { url, types: types as never, description: description === '' ? null : description };
      return webhookEndpoints.change(id, changes, once).result();
    }
    case 'pause':
      return webhookEndpoints.change(id, { status: 'DISABLED' }, once).result();
    case 'enable':
      return webhookEndpoints.change(id, { status: 'ENABLED' }, once).result();
    case 'secret': {
      const oldLivesForSeconds = Number(field(form, 'oldLivesForSeconds') || Number.NaN);
      return webhookEndpoints.turnSecret(id, { oldLivesForSeconds }, once).result();
    }
    case 'test':
      return webhookEndpoints.test(id, { type: field(form, 'type') as never }, once).result();
    case 'replay':
      return webhookEndpoints.replay(id, { since: (since ?? new Date()).toISOString() }, once).result();
    case 'delete':
      return webhookEndpoints.delete(id, once).result();
  }
}

/** POST /developers/webhooks/{id}/deliveries/{deliveryId}/resend */
export async function resendDelivery(deps: Deps, visit: SignedIn): Promise<Answer> {
  const endpoint = await readWebhook(visit);
  const deliveryId = idIn(visit, 'deliveryId');
  const result = await audited(deps, visit, {
    what: 'webhook.resend',
    target: deliveryId,
    send: () => visit.api.webhookEndpoints.resend(endpoint.id, deliveryId, once).result(),
  });
  if (result.kind === 'done') return redirect(`${webhookHref(endpoint.id)}?done=resend`);
  return drawWebhook(deps, visit, endpoint, { done: null, problem: problemOf(visit, result) });
}

function actionIn({ params }: SignedIn): WebhookAction {
  const action = webhookActions.find((one) => one === params['action']);
  if (action === undefined) throw new Refusal('NOT_FOUND');
  return action;
}

const draw = (
  deps: Deps,
  visit: SignedIn,
  action: WebhookAction,
  endpoint: ShownWebhook,
  said: Pick<WebhookActionView, 'typed' | 'since' | 'isWrongSince' | 'problem'>,
): Answer => show(deps, visit, (frame) => webhookActionPage(frame, { action, endpoint, ...said }));

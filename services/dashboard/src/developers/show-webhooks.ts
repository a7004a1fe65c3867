import { webhookPage, type WebhookDone, type WebhookView } from '@cobro/dashboard/developers/webhook-page.ts';
import { type ShownWebhook, webhooksPage } from '@cobro/dashboard/developers/webhooks-page.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { idIn, orNotFound, READING } from '../http/reading.ts';

/** GET /developers/webhooks */
export async function showWebhooks(deps: Deps, visit: SignedIn): Promise<Answer> {
  const result = await visit.api.call('listWebhookEndpoints', { query: { pageSize: 100 } }, READING).result();
  const found =
    result.kind === 'done' ? ({ kind: 'rows', rows: result.value.items } as const) : ({ kind: 'unavailable' } as const);
  const isDeleted = visit.query.get('done') === 'delete';
  return show(deps, visit, (frame) => webhooksPage(frame, { found, isDeleted }));
}

const dones: readonly WebhookDone[] = ['change', 'pause', 'enable', 'test', 'resend'];

/** GET /developers/webhooks/{id} */
export async function showWebhook(deps: Deps, visit: SignedIn): Promise<Answer> {
  const endpoint = await readWebhook(visit);
  const replayed = Number(visit.query.get('replayed') ?? Number.NaN);
  const done = Number.isInteger(replayed) ? { replayed } : dones.find((one) => one === visit.query.get('done'));
  return drawWebhook(deps, visit, endpoint, { done: done ?? null, problem: null });
}

/** Draws the endpoint with its deliveries, newest first. */
export async function drawWebhook(
  deps: Deps,
  visit: SignedIn,
  endpoint: ShownWebhook,
  said: Pick<WebhookView, 'done' | 'problem'>,
): Promise<Answer> {
  const cursor = visit.query.get('cursor') ?? undefined;
  const query = { limit: 20, ...(cursor !== undefined && { cursor }) };
  const result = await visit.api.call('listDeliveries', { params: { id: endpoint.id }, query }, READING).result();
  const deliveries: WebhookView['deliveries'] =
    result.kind === 'done'
      ? {
          kind: 'rows',
          rows: result.value.data,
          nextCursor: result.value.pagination.nextCursor,
          isFirstPage: cursor === undefined,
        }
      : { kind: 'unavailable' };
  return show(deps, visit, (frame) => webhookPage(frame, { endpoint, deliveries, ...said }));
}

/** The endpoint that the address names. */
export const readWebhook = async (visit: SignedIn): Promise<ShownWebhook> =>
  orNotFound(visit.api.call('getWebhookEndpoint', { params: { id: idIn(visit) } }, READING));

import type { WebhookDelivery } from '@cobro/contracts/webhook-requests.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { actionForm } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import { pager } from '../parts/pager.ts';
import { badge, button, code, empty, facts, unavailable, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { timeElement } from '../parts/time.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { type DeveloperProblem, problemNotice, statusOf } from './developer-parts.ts';
import { developerWords } from './developer-words.ts';
import { type WebhookAction, type WebhookWords, webhookWords } from './webhook-words.ts';
import { type ShownWebhook, mayOwn, typesOf, webhookHref, WEBHOOKS, webhookStatus } from './webhooks-page.ts';

export type WebhookDone = Exclude<keyof WebhookWords['done'], 'delete'>;

export interface WebhookView {
  endpoint: ShownWebhook;
  deliveries:
    | { kind: 'rows'; rows: readonly WebhookDelivery[]; nextCursor: string | null; isFirstPage: boolean }
    | { kind: 'unavailable' };
  done: WebhookDone | { replayed: number } | null;
  problem: DeveloperProblem | null;
}

/** GET /developers/webhooks/{id}, and a POST about a delivery that was refused */
export function webhookPage(frame: Frame, { endpoint, deliveries, done, problem }: WebhookView): Content {
  const { language } = frame;
  const words = webhookWords[language];
  return {
    status: statusOf(problem),
    title: 'Webhook',
    section: 'developers',
    trail: { href: WEBHOOKS, label: developerWords[language].webhooks },
    main: html`${problem && problemNotice(language, problem)}
      ${done && notice(language, { kind: 'good', title: typeof done === 'string' ? words.done[done] : words.replayed(done.replayed) })}
      ${endpoint.status === 'PAUSED' && notice(language, { kind: 'bad', title: words.paused })}
      ${endpoint.status !== 'PAUSED' && endpoint.failingSince !== null && notice(language, { kind: 'wait', title: words.failing })}
      <div class="stack">
        <div class="panel">${about(language, endpoint)} ${mayOwn(frame) && links(language, endpoint)}</div>
        <div class="panel">
          <h2>${words.deliveries}</h2>
          ${deliveries.kind === 'unavailable' ? unavailable(language) : listed(frame, endpoint, deliveries)}
        </div>
      </div>`,
  };
}

function about(language: Language, endpoint: ShownWebhook): Html {
  const words = webhookWords[language];
  const { url, description, createdAt, lastDeliveryAt, failingSince } = endpoint;
  return facts([
    [words.address, html`<bdi class="breaks">${url}</bdi>`],
    [words.status, webhookStatus(language, endpoint)],
    [words.types, typesOf(endpoint)],
    [words.description, description === null ? null : written(description)],
    [words.created, timeElement(language, createdAt)],
    [words.lastDelivery, lastDeliveryAt === null ? words.never : timeElement(language, lastDeliveryAt)],
    [words.failingSince, failingSince === null ? null : timeElement(language, failingSince)],
  ]);
}

function links(language: Language, { id, status }: ShownWebhook): Html {
  const { actions } = webhookWords[language];
  const may: WebhookAction[] = [
    'test',
    'replay',
    'change',
    status === 'ENABLED' ? 'pause' : 'enable',
    'secret',
    'delete',
  ];
  return html`<p class="actions">${may.map((action) => button(webhookHref(id, action), actions[action].title, 'second'))}</p>`;
}

function listed(
  frame: Frame,
  { id }: ShownWebhook,
  { rows, nextCursor, isFirstPage }: WebhookView['deliveries'] & { kind: 'rows' },
): Html {
  const { language } = frame;
  const words = webhookWords[language];
  if (rows.length === 0 && isFirstPage) return empty(words.noDeliveries);
  const isOwner = mayOwn(frame);
  const columns = [
    { label: words.types, kind: 'main' as const },
    { label: words.status, kind: 'status' as const },
    { label: words.created },
    { label: words.attempts, kind: 'amount' as const },
    { label: words.answered },
    ...(isOwner ? [{ label: words.resend }] : []),
  ];
  return html`${table({
    caption: words.deliveries,
    columns,
    rows: rows.map((row) => [
      html`<a href="/developers/events/${encodeURIComponent(row.eventId)}">${code(row.type)}</a>`,
      deliveryStatus(language, row),
      timeElement(language, row.createdAt),
      String(row.attempts),
      answerOf(row),
      ...(isOwner ? [resendForm(frame, id, row)] : []),
    ]),
  })}
  ${pager(language, {
    next: nextCursor === null ? null : `${webhookHref(id)}?${new URLSearchParams({ cursor: nextCursor }).toString()}`,
    first: isFirstPage ? null : webhookHref(id),
  })}`;
}

function deliveryStatus(language: Language, { status, attempts, nextAttemptAt }: WebhookDelivery): Html {
  const words = webhookWords[language];
  const isRetried = status === 'PENDING' && attempts > 0;
  const tone = status === 'DELIVERED' ? 'good' : isRetried ? 'bad' : 'wait';
  const word = isRetried ? words.retried : words.deliveryStatuses[status];
  return html`<span class="row-actions">${badge(tone, word)}
    ${status === 'PENDING' && nextAttemptAt !== null && html`<span class="small quiet">${words.nextAttempt}: ${timeElement(language, nextAttemptAt)}</span>`}</span>`;
}

/** What the merchant's server answered; the text is not ours. */
const answerOf = ({ responseStatus, responseBody, error }: WebhookDelivery): Html | null =>
  responseStatus === null && error === null
    ? null
    : html`<span class="row-actions">${responseStatus !== null && code(String(responseStatus))} <bdi class="cut">${error ?? responseBody ?? ''}</bdi></span>`;

const resendForm = (frame: Frame, id: string, row: WebhookDelivery): Html =>
  actionForm(frame, {
    action: `${webhookHref(id)}/deliveries/${encodeURIComponent(row.id)}/resend`,
    fields: [],
    button: html`${webhookWords[frame.language].resend}<span class="unseen"> ${row.type}</span>`,
    kind: 'second',
  });

import type { WebhookEndpoint } from '@cobro/contracts/webhook-endpoint.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { notice } from '../parts/notice.ts';
import { badge, button, code, empty, type Tone, unavailable } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { timeElement } from '../parts/time.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { developerTabs } from './developer-parts.ts';
import { developerWords } from './developer-words.ts';
import { webhookWords } from './webhook-words.ts';

export type ShownWebhook = Omit<WebhookEndpoint, 'types'> & { types: readonly string[] };

export const WEBHOOKS = '/developers/webhooks';
export const webhookHref = (id: string, action?: string): string =>
  `${WEBHOOKS}/${encodeURIComponent(id)}${action === undefined ? '' : `/${action}`}`;

/** Whether the person may change webhooks. */
export const mayOwn = ({ acting }: Frame): boolean => acting?.role === 'owner';

export interface WebhooksView {
  /** There are 20 at most. */
  found: { kind: 'rows'; rows: readonly ShownWebhook[] } | { kind: 'unavailable' };
  isDeleted: boolean;
}

/** GET /developers/webhooks */
export function webhooksPage(frame: Frame, { found, isDeleted }: WebhooksView): Content {
  const { language } = frame;
  const words = webhookWords[language];
  return {
    status: 200,
    title: developerWords[language].developers,
    section: 'developers',
    ...(mayOwn(frame) && { action: button(`${WEBHOOKS}/new`, words.create) }),
    main: html`${developerTabs(frame, 'webhooks')}
      ${isDeleted && notice(language, { kind: 'good', title: words.done.delete })}
      ${found.kind === 'rows' && pausedNotice(language, found.rows.filter(isPaused).length)}
      <p class="explain">${words.intro}</p>
      ${found.kind === 'unavailable' ? unavailable(language) : listed(frame, found.rows)}`,
  };
}

function listed(frame: Frame, rows: readonly ShownWebhook[]): Html {
  const { language } = frame;
  const words = webhookWords[language];
  if (rows.length === 0) {
    return empty({ ...words.empty, ...(mayOwn(frame) && { action: button(`${WEBHOOKS}/new`, words.create) }) });
  }
  return table({
    caption: developerWords[language].webhooks,
    columns: [
      { label: words.address, kind: 'main' },
      { label: words.status, kind: 'status' },
      { label: words.types },
      { label: words.lastDelivery },
    ],
    rows: rows.map((one) => [
      html`<a href="${webhookHref(one.id)}"><bdi class="cut">${one.url}</bdi></a>`,
      webhookStatus(language, one),
      typesOf(one),
      one.lastDeliveryAt === null ? words.never : timeElement(language, one.lastDeliveryAt),
    ]),
  });
}

export const isPaused = ({ status }: Pick<ShownWebhook, 'status'>): boolean => status === 'PAUSED';

/** For Home and the list: nothing else shows people that events wait. */
export function pausedNotice(language: Language, count: number, link?: Html): Html | null {
  if (count === 0) return null;
  return notice(language, {
    kind: 'bad',
    title: webhookWords[language].pausedCount(count),
    ...(link && { text: link }),
  });
}

const tones: { [Name in ShownWebhook['status']]: Tone } = { ENABLED: 'good', PAUSED: 'bad', DISABLED: 'quiet' };

export const webhookStatus = (language: Language, { status }: Pick<ShownWebhook, 'status'>): Html =>
  badge(tones[status], webhookWords[language].statuses[status]);

export const typesOf = ({ types }: ShownWebhook): Html =>
  html`<span class="row-actions">${types.map((type) => code(type))}</span>`;

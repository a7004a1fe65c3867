import { html, type Html } from '@cobro/html/html.ts';
import { newsOf } from '../parts/news.ts';
import { offsetPager } from '../parts/pager.ts';
import { amount, button, centavosIn, empty, unavailable, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { statusHref, statusTabs } from '../parts/tabs.ts';
import { timeElement } from '../parts/time.ts';
import { partWords } from '../parts/words.ts';
import { type Content, type Frame, mayOperate } from '../shell/frame.ts';
import { linkBadge, linkHref, type LinkStatus, linkStatuses } from './link-parts.ts';
import { linkWords, type LinkWords } from './link-words.ts';

/** A row of the list. `amount` in pesos; `expired` only depends on the clock, not on the status. */
export interface LinkRow {
  id: string;
  status: LinkStatus;
  expired: boolean;
  description: string;
  amount: number;
  createdAt: string;
  expiresAt: string;
}

export interface LinksView {
  /** Null for all. */
  status: LinkStatus | null;
  /** Null if they did not come in time. */
  found: { rows: readonly LinkRow[]; page: number; hasMore: boolean } | null;
}

/** GET /links */
export function linksPage(frame: Frame, view: LinksView): Content {
  const words = linkWords[frame.language];
  return {
    status: view.found === null ? 503 : 200,
    title: words.title,
    section: 'links',
    ...(mayOperate(frame) && !isFirst(view) && { action: button('/links/new', words.create) }),
    main: html`${statusTabs({ path: '/links', current: view.status, statuses: linkStatuses, words })} ${listOf(frame, view, words)} ${newsOfList(frame, view)}`,
  };
}

const endings = ['one_time_payment.paid', 'one_time_payment.cancelled', 'one_time_payment.expired'];

const newsOfList = ({ language, address }: Frame, { found }: LinksView): Html | null =>
  found &&
  newsOf({
    of: endings,
    shown: found.rows.map(({ id, status, expired }) => `${id} ${status} ${expired}`),
    href: address,
    ...partWords[language].news.changedLinks,
  });

/** Nobody has made a link here yet. */
const isFirst = ({ status, found }: LinksView) => status === null && found?.page === 1 && found.rows.length === 0;

function listOf(frame: Frame, { status, found }: LinksView, words: LinkWords): Html {
  const { language } = frame;
  if (found === null) return unavailable(language);
  if (isFirst({ status, found })) {
    return empty({ ...words.empty, ...(mayOperate(frame) && { action: button('/links/new', words.create) }) });
  }
  if (found.rows.length === 0) {
    return empty({ ...words.none, action: button('/links', words.none.all, 'second') });
  }
  const { columns } = words;
  const list = table({
    caption: words.title,
    columns: [
      { label: columns.description, kind: 'main' },
      { label: columns.made },
      { label: columns.expires },
      { label: columns.status, kind: 'status' },
      { label: columns.amount, kind: 'amount' },
    ],
    rows: found.rows.map((row) => [
      html`<a class="cut" href="${linkHref(row.id)}">${written(row.description)}</a>`,
      timeElement(language, row.createdAt),
      timeElement(language, row.expiresAt),
      linkBadge(language, row),
      amount(centavosIn(row.amount)),
    ]),
  });
  return html`${list} ${offsetPager(language, found, (page) => statusHref('/links', status, page))}`;
}

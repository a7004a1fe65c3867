import { html, type Html } from '@cobro/html/html.ts';
import { offsetPager } from '../parts/pager.ts';
import { amount, button, centavosIn, countOf, empty, unavailable, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { statusHref, statusTabs } from '../parts/tabs.ts';
import { timeElement } from '../parts/time.ts';
import { type Content, type Frame, mayOperate } from '../shell/frame.ts';
import {
  paymentLinkBadge,
  paymentLinkHref,
  type PaymentLinkStatus,
  paymentLinkStatuses,
} from './payment-link-parts.ts';
import { paymentLinkWords, type PaymentLinkWords } from './payment-link-words.ts';

/** A row of the list. `amount` in pesos. */
export interface PaymentLinkRow {
  id: string;
  status: PaymentLinkStatus;
  description: string;
  amount: number;
  paymentsCount: number;
  maxPayments: number | null;
  createdAt: string;
}

export interface PaymentLinksView {
  /** Null for all. */
  status: PaymentLinkStatus | null;
  /** Null if they did not come in time. */
  found: { rows: readonly PaymentLinkRow[]; page: number; hasMore: boolean; isCapped?: boolean } | null;
}

/** GET /payment-links */
export function paymentLinksPage(frame: Frame, view: PaymentLinksView): Content {
  const words = paymentLinkWords[frame.language];
  return {
    status: view.found === null ? 503 : 200,
    title: words.title,
    section: 'paymentLinks',
    ...(mayOperate(frame) && !isFirst(view) && { action: button('/payment-links/new', words.create) }),
    main: html`${statusTabs({ path: '/payment-links', current: view.status, statuses: paymentLinkStatuses, words })} ${listOf(frame, view, words)}`,
  };
}

/** Nobody has made a payment link here yet. */
const isFirst = ({ status, found }: PaymentLinksView) =>
  status === null && found?.page === 1 && found.rows.length === 0;

function listOf(frame: Frame, { status, found }: PaymentLinksView, words: PaymentLinkWords): Html {
  const { language } = frame;
  if (found === null) return unavailable(language);
  if (isFirst({ status, found })) {
    return empty({ ...words.empty, ...(mayOperate(frame) && { action: button('/payment-links/new', words.create) }) });
  }
  if (found.rows.length === 0) {
    return empty({ ...words.none, action: button('/payment-links', words.none.all, 'second') });
  }
  const { columns } = words;
  const list = table({
    caption: words.title,
    columns: [
      { label: columns.description, kind: 'main' },
      { label: columns.made },
      { label: columns.payments, kind: 'amount' },
      { label: columns.status, kind: 'status' },
      { label: columns.amount, kind: 'amount' },
    ],
    rows: found.rows.map((row) => [
      html`<a class="cut" href="${paymentLinkHref(row.id)}">${written(row.description)}</a>`,
      timeElement(language, row.createdAt),
      countOf(row, words),
      paymentLinkBadge(language, row.status),
      amount(centavosIn(row.amount)),
    ]),
  });
  return html`${list} ${offsetPager(language, found, (page) => statusHref('/payment-links', status, page))}`;
}

import type { ShownPromotion } from '@cobro/contracts/promotions.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { offsetPager } from '../parts/pager.ts';
import { button, countOf, empty, unavailable, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { statusHref, statusTabs } from '../parts/tabs.ts';
import { dayElement } from '../parts/time.ts';
import { type Content, type Frame, mayOperate } from '../shell/frame.ts';
import { percent, promotionBadge, promotionHref, type PromotionStatus, promotionStatuses } from './promotion-parts.ts';
import { promotionWords, type PromotionWords } from './promotion-words.ts';

export type PromotionListRow = Pick<
  ShownPromotion,
  'id' | 'name' | 'status' | 'feeDiscount' | 'paymentsCount' | 'maxPayments' | 'endsAt'
>;

export interface PromotionsView {
  /** Null for all. */
  status: PromotionStatus | null;
  /** Null if they did not come in time. */
  found: { rows: readonly PromotionListRow[]; page: number; hasMore: boolean } | null;
}

/** GET /promotions */
export function promotionsPage(frame: Frame, view: PromotionsView): Content {
  const words = promotionWords[frame.language];
  return {
    status: view.found === null ? 503 : 200,
    title: words.title,
    section: 'promotions',
    ...(mayOperate(frame) && !isFirst(view) && { action: button('/promotions/new', words.create) }),
    main: html`<p class="explain quiet">${words.explain}</p>
      ${statusTabs({ path: '/promotions', current: view.status, statuses: promotionStatuses, words })}
      ${listOf(frame, view, words)}`,
  };
}

/** Nobody has made a promotion here yet. */
const isFirst = ({ status, found }: PromotionsView) => status === null && found?.page === 1 && found.rows.length === 0;

function listOf(frame: Frame, { status, found }: PromotionsView, words: PromotionWords): Html {
  const { language } = frame;
  if (found === null) return unavailable(language);
  if (isFirst({ status, found })) {
    return empty({ ...words.empty, ...(mayOperate(frame) && { action: button('/promotions/new', words.create) }) });
  }
  if (found.rows.length === 0) {
    return empty({ ...words.none, action: button('/promotions', words.none.all, 'second') });
  }
  const { columns } = words;
  const list = table({
    caption: words.title,
    columns: [
      { label: columns.name, kind: 'main' },
      { label: columns.until },
      { label: columns.payments, kind: 'amount' },
      { label: columns.discount, kind: 'amount' },
      { label: columns.status, kind: 'status' },
    ],
    rows: found.rows.map((row) => [
      html`<a class="cut" href="${promotionHref(row.id)}">${written(row.name)}</a>`,
      dayElement(language, row.endsAt),
      countOf(row, words),
      percent(row.feeDiscount),
      promotionBadge(language, row.status),
    ]),
  });
  return html`${list} ${offsetPager(language, found, (page) => statusHref('/promotions', status, page))}`;
}

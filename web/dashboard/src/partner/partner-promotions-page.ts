import type { PartnerPromotion } from '@cobro/contracts/promotions.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { offsetPager } from '../parts/pager.ts';
import { button, countOf, empty, over, unavailable, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { statusHref, statusTabs } from '../parts/tabs.ts';
import { dayElement } from '../parts/time.ts';
import { percent, promotionBadge, type PromotionStatus, promotionStatuses } from '../promotions/promotion-parts.ts';
import { promotionWords, type PromotionWords } from '../promotions/promotion-words.ts';
import type { PromotionListRow } from '../promotions/promotions-page.ts';
import type { Content, Frame } from '../shell/frame.ts';

export const partnerPromotionHref = (id: string): string => `/partner/promotions/${encodeURIComponent(id)}`;

type Row = PromotionListRow & Pick<PartnerPromotion, 'businessTake' | 'organization'>;

export interface PartnerPromotionsView {
  /** Null for all. */
  status: PromotionStatus | null;
  /** Null if they did not come in time. */
  found: { rows: readonly Row[]; page: number; hasMore: boolean } | null;
}

/** GET /partner/promotions */
export function partnerPromotionsPage(frame: Frame, view: PartnerPromotionsView): Content {
  const words = promotionWords[frame.language];
  return {
    status: view.found === null ? 503 : 200,
    title: words.ofPartner.title,
    section: 'partnerPromotions',
    main: html`<p class="explain quiet">${words.ofPartner.explain}</p>
      ${statusTabs({ path: '/partner/promotions', current: view.status, statuses: promotionStatuses, words })}
      ${listOf(frame, view, words)}`,
  };
}

function listOf({ language }: Frame, { status, found }: PartnerPromotionsView, words: PromotionWords): Html {
  if (found === null) return unavailable(language);
  const { ofPartner, columns } = words;
  if (found.rows.length === 0 && found.page === 1 && status === null) return empty(ofPartner.empty);
  if (found.rows.length === 0) {
    return empty({ ...ofPartner.none, action: button('/partner/promotions', ofPartner.none.all, 'second') });
  }
  const list = table({
    caption: ofPartner.title,
    columns: [
      { label: columns.name, kind: 'main' },
      { label: columns.until },
      { label: columns.payments, kind: 'amount' },
      { label: ofPartner.columns.discount, kind: 'amount' },
      { label: ofPartner.columns.take, kind: 'amount' },
      { label: columns.status, kind: 'status' },
    ],
    rows: found.rows.map((row) => [
      over(
        html`<a class="cut" href="${partnerPromotionHref(row.id)}">${written(row.name)}</a>`,
        html`<span class="cut">${written(row.organization.name)}</span>`,
      ),
      dayElement(language, row.endsAt),
      countOf(row, words),
      percent(row.feeDiscount),
      percent(row.businessTake),
      promotionBadge(language, row.status),
    ]),
  });
  return html`${list} ${offsetPager(language, found, (page) => statusHref('/partner/promotions', status, page))}`;
}

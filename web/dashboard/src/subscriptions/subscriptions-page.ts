import { type Subscription, subscriptionStatuses, type SubscriptionStatus } from '@cobro/contracts/subscriptions.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { offsetPager } from '../parts/pager.ts';
import { amount, button, centavosIn, empty, unavailable, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { statusHref, statusTabs } from '../parts/tabs.ts';
import { timeElement } from '../parts/time.ts';
import { type Content, type Frame, mayOperate } from '../shell/frame.ts';
import { subscriptionBadge, subscriptionHref, SUBSCRIPTIONS } from './subscription-parts.ts';
import { subscriptionWords, type SubscriptionWords } from './subscription-words.ts';

/** A row of the list. `amount` in pesos. */
export type SubscriptionRow = Pick<
  Subscription,
  'id' | 'status' | 'description' | 'amount' | 'periodicity' | 'nextBillingAt' | 'nextRetryAt'
>;

export interface SubscriptionsView {
  /** Null for all. */
  status: SubscriptionStatus | null;
  /** Null if they did not come in time. */
  found: { rows: readonly SubscriptionRow[]; page: number; hasMore: boolean; isCapped?: boolean } | null;
}

const NEW = `${SUBSCRIPTIONS}/new`;

/** GET /subscriptions */
export function subscriptionsPage(frame: Frame, view: SubscriptionsView): Content {
  const words = subscriptionWords[frame.language];
  return {
    status: view.found === null ? 503 : 200,
    title: words.title,
    section: 'subscriptions',
    ...(mayOperate(frame) && !isFirst(view) && { action: button(NEW, words.create) }),
    main: html`${statusTabs({ path: SUBSCRIPTIONS, current: view.status, statuses: subscriptionStatuses, words })} ${listOf(frame, view, words)}`,
  };
}

/** Nobody has made a subscription here yet. */
const isFirst = ({ status, found }: SubscriptionsView) =>
  status === null && found?.page === 1 && found.rows.length === 0;

function listOf(frame: Frame, { status, found }: SubscriptionsView, words: SubscriptionWords): Html {
  const { language } = frame;
  if (found === null) return unavailable(language);
  if (isFirst({ status, found })) {
    return empty({ ...words.empty, ...(mayOperate(frame) && { action: button(NEW, words.create) }) });
  }
  if (found.rows.length === 0) {
    return empty({ ...words.none, action: button(SUBSCRIPTIONS, words.none.all, 'second') });
  }
  const { columns } = words;
  const list = table({
    caption: words.title,
    columns: [
      { label: columns.description, kind: 'main' },
      { label: columns.periodicity },
      { label: columns.next },
      { label: columns.status, kind: 'status' },
      { label: columns.amount, kind: 'amount' },
    ],
    rows: found.rows.map((row) => {
      const next = row.nextRetryAt ?? row.nextBillingAt;
      return [
        html`<a class="cut" href="${subscriptionHref(row.id)}">${written(row.description ?? words.unnamed)}</a>`,
        words.periodicities[row.periodicity],
        next && timeElement(language, next),
        subscriptionBadge(language, row.status),
        amount(centavosIn(row.amount)),
      ];
    }),
  });
  return html`${list} ${offsetPager(language, found, (page) => statusHref(SUBSCRIPTIONS, status, page))}`;
}

import type { PaymentMethod } from '@cobro/contracts/payment-methods.ts';
import type { Subscription, SubscriptionPeriod } from '@cobro/contracts/subscriptions.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { dialog, opener } from '../parts/dialog.ts';
import { notice } from '../parts/notice.ts';
import { offsetPager } from '../parts/pager.ts';
import { amount, button, centavosIn, code, copyable, facts, unavailable, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { dayOf, timeElement } from '../parts/time.ts';
import { paymentHref, shortCard } from '../payments/payment-parts.ts';
import { paymentsHref } from '../payments/payments-page.ts';
import { type Content, type Frame, mayOperate } from '../shell/frame.ts';
import { actionFormOf, type SubscriptionAction } from './subscription-action-page.ts';
import { periodBadge, subscriptionBadge, subscriptionHref, SUBSCRIPTIONS } from './subscription-parts.ts';
import { subscriptionFormWords } from './subscription-form-words.ts';
import { subscriptionWords, type SubscriptionWords } from './subscription-words.ts';

export interface SubscriptionView {
  subscription: Subscription;
  /** Null if it did not come in time. */
  card: Pick<PaymentMethod, 'card'> | null;
  /** The latest first; null if they did not come in time. */
  periods: { rows: readonly SubscriptionPeriod[]; page: number; hasMore: boolean } | null;
  /** What the person has just done. `waiting`: the bank has not answered. */
  done: keyof SubscriptionWords['done'] | 'waiting' | null;
}

const ended: readonly Subscription['status'][] = ['CANCELLED', 'COMPLETED'];
const isEnded = ({ status }: Subscription) => ended.includes(status);

/** What may be done to the subscription now. */
function actionsOn(subscription: Subscription): Exclude<SubscriptionAction, 'collect'>[] {
  if (isEnded(subscription) || subscription.status === 'PENDING') return isEnded(subscription) ? [] : ['cancel'];
  const { status, cancelAtPeriodEnd } = subscription;
  return [
    ...(status === 'PAUSED' ? [] : (['pause'] as const)),
    ...(status === 'PAUSED' || cancelAtPeriodEnd ? (['resume'] as const) : []),
    ...(cancelAtPeriodEnd ? [] : (['cancel-at-end'] as const)),
    'cancel',
  ];
}

/** GET /subscriptions/{id} */
export function subscriptionPage(frame: Frame, view: SubscriptionView): Content {
  const { language } = frame;
  const { subscription, done } = view;
  const words = subscriptionWords[language];
  const forms = subscriptionFormWords[language];
  const offered = mayOperate(frame) ? actionsOn(subscription) : [];
  return {
    status: 200,
    title: words.detail.title,
    section: 'subscriptions',
    trail: { href: SUBSCRIPTIONS, label: words.title },
    main: html`${doneNotice(frame, done, words)}
      <div class="stack">
        <section class="panel summary">
          <p class="big">${amount(centavosIn(subscription.amount))} <span class="quiet">MXN</span> ${subscriptionBadge(language, subscription.status)}</p>
          <p>${words.periodicities[subscription.periodicity]}</p>
          ${subscription.description && html`<p class="quiet">${written(subscription.description)}</p>`}
        </section>
        ${factsPanel(frame, view, words, offered)} ${ladder(frame, view, words)}
      </div>
      ${offered.map((action) => dialog({ id: `dialog-${action}`, title: forms[action].title, content: actionFormOf(frame, { action, subscription, number: null }) }))}`,
  };
}

function doneNotice({ language }: Frame, done: SubscriptionView['done'], words: SubscriptionWords): Html | null {
  if (done === null) return null;
  return done === 'waiting'
    ? notice(language, { kind: 'wait', ...words.waiting })
    : notice(language, { kind: 'good', title: words.done[done] });
}

function factsPanel(
  { language }: Frame,
  { subscription, card }: SubscriptionView,
  words: SubscriptionWords,
  offered: readonly Exclude<SubscriptionAction, 'collect'>[],
): Html {
  const { detail } = words;
  const { nextBillingAt, nextRetryAt, lastDeclineCode, endedAt, endReason, totalPeriods, product } = subscription;
  const ofCard = card && shortCard({ network: card.card.networkType, lastFourDigits: card.card.lastFourDigits });
  const at = (time: string | null) => time && timeElement(language, time);
  return html`<section class="panel">
    <h2>${detail.facts}</h2>
    ${facts([
      [detail.next, at(nextBillingAt)],
      [detail.retry, at(nextRetryAt)],
      [detail.lastDecline, lastDeclineCode && code(lastDeclineCode)],
      [detail.atPeriodEnd, subscription.cancelAtPeriodEnd ? detail.yes : null],
      [detail.ended, at(endedAt)],
      [detail.endReason, endReason && words.endReasons[endReason]],
      [detail.firstBilling, dayOf(language, subscription.firstBillingDate)],
      [detail.periods, totalPeriods === null ? null : String(totalPeriods)],
      [detail.product, product && written(product.name)],
      [detail.card, ofCard ?? copyable(language, subscription.paymentMethodId)],
      [detail.made, timeElement(language, subscription.createdAt)],
      [detail.externalId, subscription.externalId && written(subscription.externalId)],
      [detail.id, copyable(language, subscription.id)],
    ])}
    <p class="more"><a href="${paymentsHref({ subscriptionId: subscription.id })}">${detail.payments}</a></p>
    ${offered.length > 0 && html`<p class="actions">${offered.map((act) => opener(`${subscriptionHref(subscription.id)}/${act}`, `dialog-${act}`, subscriptionFormWords[language][act].title, act === 'cancel' ? 'danger' : 'second'))}</p>`}
  </section>`;
}

/** The periods up to now, a rung each. */
function ladder(frame: Frame, { subscription, periods }: SubscriptionView, words: SubscriptionWords): Html {
  const { language } = frame;
  const { detail, ladder: columns } = words;
  const mayCollect = mayOperate(frame) && !isEnded(subscription);
  return html`<section class="panel">
    <h2>${detail.ladder}</h2>
    ${
      periods === null
        ? unavailable(language)
        : periods.rows.length === 0
          ? html`<p class="quiet">${detail.noPeriods}</p>`
          : html`${table({
              caption: detail.ladder,
              columns: [
                { label: columns.period, kind: 'main' },
                { label: columns.days },
                { label: columns.declines },
                { label: columns.status, kind: 'status' },
                { label: columns.amount, kind: 'amount' },
                ...(mayCollect ? [{ label: columns.action }] : []),
              ],
              rows: periods.rows.map((period) => rung(frame, { subscription, period, words, mayCollect })),
            })}
            ${offsetPager(language, periods, (page) => `${subscriptionHref(subscription.id)}?page=${page}`)}`
    }
  </section>`;
}

function rung(
  { language }: Frame,
  of: { subscription: Subscription; period: SubscriptionPeriod; words: SubscriptionWords; mayCollect: boolean },
): (Html | string | null)[] {
  const { subscription, period, words, mayCollect } = of;
  const { number, paymentId, status, declines } = period;
  const name = words.number(number);
  const collect = `${subscriptionHref(subscription.id)}/collect?number=${number}`;
  return [
    paymentId === null ? name : html`<a href="${paymentHref(paymentId)}">${name}</a>`,
    words.days(dayOf(language, period.startsOn), dayOf(language, period.endsOn)),
    declines === 0 ? null : String(declines),
    periodBadge(language, status),
    amount(centavosIn(period.amount)),
    ...(mayCollect ? [status === 'PAID' ? null : button(collect, words.ladder.action, 'second')] : []),
  ];
}

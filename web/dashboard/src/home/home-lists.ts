import type { PaymentRecord, TimelineOperation } from '@cobro/contracts/payment-timeline.ts';
import { COUNTED_SUBSCRIPTIONS, type Subscription } from '@cobro/contracts/subscriptions.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { amount, centavosIn, inFigures, unavailable, written } from '../parts/small-parts.ts';
import { exactTime, lastMinute, timeElement } from '../parts/time.ts';
import { detailWords } from '../payments/detail-words.ts';
import { paymentHref } from '../payments/payment-parts.ts';
import { subscriptionHref, SUBSCRIPTIONS } from '../subscriptions/subscription-parts.ts';
import { subscriptionWords } from '../subscriptions/subscription-words.ts';
import type { HomeWords } from './home-words.ts';

/** The holds that end on a day. `amount` in pesos; `firstEndsAt` is null if there are none. */
export interface HomeHold {
  holds: number;
  amount: number;
  firstEndsAt: string | null;
}

export interface HomePending {
  count: number;
  complete: boolean;
  /** A few, the longest pending first. */
  items: readonly {
    payment: Pick<PaymentRecord, 'id' | 'operationCode' | 'amount'>;
    operation: Pick<TimelineOperation, 'purpose' | 'askedAt' | 'amount'>;
  }[];
}

export interface HomePastDue {
  count: number;
  /** A few subscriptions. */
  items: readonly Pick<Subscription, 'id' | 'description' | 'amount' | 'nextRetryAt'>[];
}

export function pastDuePanel(language: Language, pastDue: HomePastDue | null): Html {
  const { home: words, unnamed } = subscriptionWords[language];
  const count = pastDue?.count ?? 0;
  const counted = `${inFigures(count)}${count >= COUNTED_SUBSCRIPTIONS ? '+' : ''}`;
  return html`<section class="panel">
    <h2>${words.title}</h2>
    ${
      pastDue === null
        ? unavailable(language)
        : pastDue.count === 0
          ? html`<p class="quiet">${words.none}</p>`
          : html`<p class="explain"><strong>${words.count(counted)}</strong></p>
              <ul class="rows">
                ${pastDue.items.map(
                  ({ id, description, amount: pesos, nextRetryAt }) =>
                    html`<li>
                      <span><a href="${subscriptionHref(id)}">${written(description ?? unnamed)}</a>
                        ${nextRetryAt !== null && html`<span class="quiet small">${words.retry} ${timeElement(language, nextRetryAt)}</span>`}</span>
                      <strong>${amount(centavosIn(pesos))}</strong>
                    </li>`,
                )}
              </ul>
              <p class="more"><a href="${SUBSCRIPTIONS}?status=PAST_DUE">${words.all}</a></p>`
    }
  </section>`;
}

type Holds = { today: HomeHold; tomorrow: HomeHold };

export function holdsPanel(language: Language, holds: Holds | null, { holds: words }: HomeWords): Html {
  const row = (label: string, { holds: count, amount: pesos, firstEndsAt }: HomeHold) =>
    html`<li>
      <span>${label}${firstEndsAt !== null && html` <span class="quiet small">${words.until(lastMinute(language, firstEndsAt))}</span>`}</span>
      <span>${count === 0 ? words.none : html`${words.count(inFigures(count))} · <strong>${amount(centavosIn(pesos))}</strong>`}</span>
    </li>`;
  return html`<section class="panel">
    <h2>${words.title}</h2>
    ${
      holds === null
        ? unavailable(language)
        : html`<ul class="rows">${row(words.today, holds.today)} ${row(words.tomorrow, holds.tomorrow)}</ul>
            <p class="more"><a href="/holds">${words.all}</a></p>`
    }
  </section>`;
}

export function pendingPanel(language: Language, pending: HomePending | null, { pending: words }: HomeWords): Html {
  return html`<section class="panel">
    <h2>${words.title}</h2>
    ${pending === null ? unavailable(language) : pendingList(language, pending, words)}
  </section>`;
}

function pendingList(language: Language, pending: HomePending, words: HomeWords['pending']): Html {
  const { purposes } = detailWords[language];
  return html`${!pending.complete && html`<p class="incomplete">${words.incomplete}</p>`}
  ${
    pending.count === 0
      ? html`<p class="quiet">${words.none}</p>`
      : html`<p class="explain"><strong>${words.count(inFigures(pending.count))}</strong> ${words.text}</p>
          <ul class="rows">
            ${pending.items.map(
              ({ payment, operation }) =>
                html`<li>
                  <span><a href="${paymentHref(payment.id)}">${payment.operationCode}</a> ${purposes[operation.purpose]}
                    <span class="quiet small">${words.since} ${exactTime(language, operation.askedAt)}</span></span>
                  <strong>${amount(centavosIn(operation.amount ?? payment.amount))}</strong>
                </li>`,
            )}
          </ul>`
  }`;
}

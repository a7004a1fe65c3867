import { type DeclineReason, declineReasons, type ReportedDay } from '@cobro/contracts/reports.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { developerWords } from '../developers/developer-words.ts';
import { pausedNotice, WEBHOOKS } from '../developers/webhooks-page.ts';
import { bars, share } from '../parts/bars.ts';
import { amount, centavosIn, inFigures, unavailable } from '../parts/small-parts.ts';
import { dayOf, shortDayOf, weekdayOf } from '../parts/time.ts';
import { paymentsHref } from '../payments/payments-page.ts';
import type { Content, Frame } from '../shell/frame.ts';
import {
  holdsPanel,
  type HomeHold,
  type HomePastDue,
  type HomePending,
  pastDuePanel,
  pendingPanel,
} from './home-lists.ts';
import { type HomeWords, homeWords } from './home-words.ts';

/** What Home shows of a day. Amounts in pesos. */
export interface HomeDay extends Pick<ReportedDay, 'day' | 'payments' | 'amount' | 'declined' | 'approvalRate'> {
  declines: readonly { reason: DeclineReason; payments: number }[];
  /** Today's hours; null for other days. */
  hours: readonly { hour: number; payments: number; amount: number }[] | null;
}

export interface HomeView {
  /** `YYYY-MM-DD` in Mexico City. */
  today: string;
  /** The last 30 days, today last. This and the others are null if they did not come in time. */
  days: readonly HomeDay[] | null;
  /** What ends today and tomorrow. */
  holds: { today: HomeHold; tomorrow: HomeHold } | null;
  pending: HomePending | null;
  pastDue: HomePastDue | null;
  /** How many have failed for five days; 0 also if it cannot be read now. */
  pausedWebhooks: number;
  /** Whether the organization has never had a payment. */
  isNew: boolean;
}

/** GET / */
export function homePage(frame: Frame, view: HomeView): Content {
  const { language } = frame;
  const words = homeWords[language];
  return {
    status: 200,
    title: words.title,
    section: 'home',
    main: html`${pausedNotice(language, view.pausedWebhooks, html`<a href="${WEBHOOKS}">${developerWords[language].webhooks}</a>`)}
    <div class="stack">
      ${view.isNew ? firstSteps(words) : figures(language, view, words)}
      <div class="panels even">${holdsPanel(language, view.holds, words)} ${pendingPanel(language, view.pending, words)}</div>
      ${view.pastDue?.count !== 0 && pastDuePanel(language, view.pastDue)}
      ${!view.isNew && view.days !== null && charts(language, view.days, words)}
    </div>`,
  };
}

function firstSteps({ start }: HomeWords): Html {
  const step = (title: Html | string, text: string) =>
    html`<li><strong>${title}</strong> <span class="quiet">${text}</span></li>`;
  return html`<section class="panel">
    <h2>${start.title}</h2>
    <p class="explain">${start.text}</p>
    <ol class="steps">
      ${step(html`<a href="/developers/keys">${start.key}</a>`, start.keyText)} ${step(start.charge, start.chargeText)} ${step(html`<a href="/links/new">${start.link}</a>`, start.linkText)}
    </ol>
  </section>`;
}

const percent = (rate: number) => `${(rate * 100).toFixed(1)} %`;

function figures(language: Language, { today, days }: HomeView, words: HomeWords): Html {
  const title = html`<h2 class="day">${words.today(dayOf(language, today))}</h2>`;
  const now = days?.at(-1);
  if (days === null || now === undefined) return html`${title} ${unavailable(language)}`;
  const before = days.at(-8);
  const rate = (day: HomeDay) => (day.approvalRate === null ? words.noneYet : percent(day.approvalRate));
  const of = (status: 'PAID' | 'CANCELLED') => (day: HomeDay) => paymentsHref({ status, from: day.day, to: day.day });
  const shown: [label: string, value: (day: HomeDay) => Html | string, href: (day: HomeDay) => string][] = [
    [words.volume, (day) => amount(centavosIn(day.amount)), of('PAID')],
    [words.payments, (day) => inFigures(day.payments), of('PAID')],
    [words.approval, rate, of('CANCELLED')],
  ];
  return html`${title}
    <dl class="figures">
      ${shown.map(
        ([label, value, href]) =>
          html`<div class="panel figure">
            <dt>${label}</dt>
            <dd class="figure-now"><a href="${href(now)}">${value(now)}</a></dd>
            ${
              before &&
              html`<dd class="quiet small">${words.weekAgo(weekdayOf(language, before.day))}: <a href="${href(before)}">${value(before)}</a></dd>`
            }
          </div>`,
      )}
    </dl>`;
}

function charts(language: Language, days: readonly HomeDay[], words: HomeWords): Html {
  const { columns } = words;
  const hours = days.at(-1)?.hours ?? [];
  return html`<section class="panel">
      ${bars(language, {
        title: words.days,
        columns: { ...columns, name: columns.day },
        bars: days.map(({ day, payments, amount: pesos }, i) => ({
          name: html`<a href="${paymentsHref({ status: 'PAID', from: day, to: day })}">${dayOf(language, day)}</a>`,
          ...(i % 7 === 1 && { label: shortDayOf(language, day) }),
          payments,
          amount: centavosIn(pesos),
        })),
      })}
    </section>
    <div class="panels even wide-panels">
      <section class="panel">
        ${bars(language, {
          title: words.hours,
          columns: { ...columns, name: columns.hour },
          bars: hours.map(({ hour, payments, amount: pesos }) => ({
            name: `${String(hour).padStart(2, '0')}:00`,
            ...(hour % 6 === 0 && { label: `${String(hour).padStart(2, '0')}:00` }),
            payments,
            amount: centavosIn(pesos),
          })),
        })}
      </section>
      ${declinesPanel(days, words)}
    </div>`;
}

function declinesPanel(days: readonly HomeDay[], words: HomeWords): Html {
  const counted = new Map<DeclineReason, number>();
  for (const { reason, payments } of days.flatMap(({ declines }) => declines)) {
    counted.set(reason, (counted.get(reason) ?? 0) + payments);
  }
  const all = days.reduce((sum, { declined }) => sum + declined, 0);
  const href = paymentsHref({ status: 'CANCELLED', from: days[0]?.day ?? '', to: days.at(-1)?.day ?? '' });
  return html`<section class="panel">
    <h2>${words.declines.title}</h2>
    ${
      all === 0
        ? html`<p class="quiet">${words.declines.none}</p>`
        : html`<p class="explain"><a href="${href}">${words.declines.count(inFigures(all))}</a></p>
            <ul class="part-bars">
              ${declineReasons
                .filter((reason) => counted.has(reason))
                .map((reason) => {
                  const count = counted.get(reason) ?? 0;
                  return html`<li><span>${words.reasons[reason]}</span><span class="number">${inFigures(count)} · ${percent(count / all)}</span>${share(count, all)}</li>`;
                })}
            </ul>`
    }
  </section>`;
}

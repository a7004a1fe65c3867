import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { pager } from '../parts/pager.ts';
import {
  amount,
  badge,
  centavosIn,
  empty,
  inFigures,
  signedPesos,
  unavailable,
  written,
} from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { dayOf, lastMinute, weekdayOf } from '../parts/time.ts';
import { paymentHref, shortCard } from '../payments/payment-parts.ts';
import { paymentWords } from '../payments/payment-words.ts';
import { type Content, type Frame, mayOperate } from '../shell/frame.ts';
import { type HoldWords, holdWords } from './hold-words.ts';

/** A hold of the API, as far as it is shown. `amount` in pesos. */
export interface HoldRow {
  id: string;
  operationCode: number;
  amount: number;
  heldAmount: number | null;
  externalId: string | null;
  card: { network: string; lastFourDigits: string };
  endsAt: string;
}

/** The holds that end on a day. */
export interface HoldColumn {
  endsOn: string;
  daysRemaining: number;
  holds: number;
  amount: number;
  /** Time until the first of them ends. */
  leftMs: number;
  /** The holds that end first; null if they did not come in time. */
  rows: readonly HoldRow[] | null;
}

export interface HoldsView {
  /** `YYYY-MM-DD` in Mexico City. */
  today: string;
  /** The first day first. */
  columns: readonly HoldColumn[] | null;
}

/** GET /holds: the open holds by the day on which they end. */
export function holdsPage(frame: Frame, { today, columns }: HoldsView): Content {
  const words = holdWords[frame.language];
  return {
    status: columns === null ? 503 : 200,
    title: words.title,
    section: 'holds',
    main:
      columns === null
        ? unavailable(frame.language)
        : columns.length === 0
          ? empty(words.empty)
          : html`${sums(columns, words)}
              <div class="board">${columns.map((column) => columnOf(frame, today, column, words))}</div>`,
  };
}

function sums(columns: readonly HoldColumn[], words: HoldWords): Html {
  const holds = columns.reduce((sum, column) => sum + column.holds, 0);
  const centavos = columns.reduce((sum, column) => sum + centavosIn(column.amount), 0n);
  return html`<p class="explain">${words.total(words.count(inFigures(holds)), signedPesos(centavos))}</p>`;
}

/** "Today" and "tomorrow"; other days by their names. */
function nameOf(language: Language, today: string, { endsOn, daysRemaining }: HoldColumn, words: HoldWords): string {
  if (endsOn === today) return words.today;
  return daysRemaining === 2 ? words.tomorrow : weekdayOf(language, endsOn);
}

function columnOf(frame: Frame, today: string, column: HoldColumn, words: HoldWords): Html {
  const { language } = frame;
  const { endsOn, daysRemaining, holds, rows, leftMs } = column;
  const isToday = endsOn === today;
  return html`<section class="panel column" aria-labelledby="on-${endsOn}">
    <header>
      <h2 id="on-${endsOn}">${nameOf(language, today, column, words)}</h2>
      ${
        isToday
          ? html`<p>${badge('bad', words.daysLeft(daysRemaining))} ${words.left} <strong class="number" data-counts-down="${leftMs}">${leftText(leftMs)}</strong></p>`
          : html`<p class="quiet">${words.daysLeft(daysRemaining)}</p>`
      }
      <p class="column-sum">${amount(centavosIn(column.amount))}</p>
      <p class="quiet small">${words.count(inFigures(holds))}</p>
    </header>
    ${
      rows === null
        ? unavailable(language)
        : html`<ul class="hold-cards">${rows.map((row) => cardOf(frame, row, words))}</ul>
            ${holds > rows.length && html`<p class="more"><a href="${holdsHref(endsOn)}">${words.all(inFigures(holds))}</a></p>`}`
    }
  </section>`;
}

const MINUTE_MS = 60_000;

/** "3 h 12 min": in both languages, and in the script's countdown. */
function leftText(leftMs: number): string {
  const minutes = Math.max(0, Math.floor(leftMs / MINUTE_MS));
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

const centavosOfHold = ({ heldAmount, amount: pesos }: HoldRow) => centavosIn(heldAmount ?? pesos);

function cardOf(frame: Frame, row: HoldRow, words: HoldWords): Html {
  return html`<li>
    <p><strong>${amount(centavosOfHold(row))}</strong> <a href="${paymentHref(row.id)}">${row.operationCode}</a></p>
    <p class="quiet small">${shortCard(row.card)} · ${words.until(lastMinute(frame.language, row.endsAt))}</p>
    ${row.externalId && html`<p class="small"><span class="cut">${written(row.externalId)}</span></p>`}
    ${mayOperate(frame) && captureLink(row, words)}
  </li>`;
}

const captureLink = ({ id, operationCode }: HoldRow, words: HoldWords) =>
  html`<p><a class="button second" href="${paymentHref(id)}/capture">${words.capture}<span class="unseen"> ${operationCode}</span></a></p>`;

const holdsHref = (day: string, offset = 0): string => `/holds/${day}${offset === 0 ? '' : `?offset=${offset}`}`;

export interface HoldsOfDayView {
  day: string;
  offset: number;
  /** `hasMore`: there is another page. */
  found: { rows: readonly HoldRow[]; hasMore: boolean } | null;
}

/** GET /holds/{day}: all that end on a day. */
export function holdsOfDayPage(frame: Frame, { day, offset, found }: HoldsOfDayView): Content {
  const { language } = frame;
  const words = holdWords[language];
  const title = words.ofDay(dayOf(language, day));
  return {
    status: found === null ? 503 : 200,
    title,
    section: 'holds',
    trail: { href: '/holds', label: words.title },
    main:
      found === null
        ? unavailable(language)
        : found.rows.length === 0
          ? empty(words.empty)
          : html`${holdTable(frame, title, found.rows, words)}
            ${pager(language, {
              next: found.hasMore ? holdsHref(day, offset + found.rows.length) : null,
              first: offset === 0 ? null : holdsHref(day),
            })}`,
  };
}

function holdTable(frame: Frame, caption: string, rows: readonly HoldRow[], words: HoldWords): Html {
  const { columns } = paymentWords[frame.language];
  const action = mayOperate(frame);
  return table({
    caption,
    columns: [
      { label: columns.operationCode, kind: 'main' },
      { label: words.ends },
      { label: columns.card },
      { label: columns.externalId },
      { label: columns.amount, kind: 'amount' },
      ...(action ? [{ label: words.capture }] : []),
    ],
    rows: rows.map((row) => [
      html`<a href="${paymentHref(row.id)}">${row.operationCode}</a>`,
      words.until(lastMinute(frame.language, row.endsAt)),
      shortCard(row.card),
      row.externalId && html`<span class="cut">${written(row.externalId)}</span>`,
      amount(centavosOfHold(row)),
      ...(action ? [captureLink(row, words)] : []),
    ]),
  });
}

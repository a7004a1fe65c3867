import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { amount, inFigures, signedPesos } from './small-parts.ts';
import { table } from './table.ts';
import { partWords } from './words.ts';

/** One bar. `amount` in centavos. */
export interface Bar {
  /** Its name in the table. */
  name: Html | string;
  /** Below the chart; only a few bars have one. */
  label?: string;
  amount: bigint;
  payments: number;
}

export interface BarsView {
  title: string;
  bars: readonly Bar[];
  columns: { name: string; payments: string; amount: string };
}

const HEIGHT = 100;
const STEP = 10;
const WIDTH = 7;

/**
 * Amounts as bars, with the same figures as a table. Only bars scale with the width of the page: text stands outside the drawing, so
 * that its size does not change.
 */
export function bars(language: Language, { title, bars: all, columns }: BarsView): Html {
  const most = all.reduce((high, bar) => (bar.amount > high ? bar.amount : high), 0n);
  return html`<figure class="bars">
    <figcaption>${title}</figcaption>
    <p class="bars-top" aria-hidden="true">${signedPesos(most)}</p>
    <svg viewBox="0 0 ${all.length * STEP} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      ${all.map((bar, i) => drawn(heightOf(bar.amount, most), i))}
      <path class="axis" d="M0 ${HEIGHT}H${all.length * STEP}" vector-effect="non-scaling-stroke" />
    </svg>
    <p class="bars-labels" aria-hidden="true">${all.map(({ label }) => html`<span>${label}</span>`)}</p>
    <details>
      <summary>${partWords[language].showTable}</summary>
      ${table({
        caption: title,
        columns: [
          { label: columns.name, kind: 'main' },
          { label: columns.payments, kind: 'amount' },
          { label: columns.amount, kind: 'amount' },
        ],
        rows: all.map((bar) => [bar.name, inFigures(bar.payments), amount(bar.amount)]),
      })}
    </details>
  </figure>`;
}

/** Any amount above zero is visible. */
const heightOf = (of: bigint, most: bigint): number =>
  most === 0n || of === 0n ? 0 : Math.max(1, Number((of * 1000n) / most) / (1000 / HEIGHT));

const drawn = (height: number, i: number): Html | null =>
  height === 0
    ? null
    : html`<rect class="bar" x="${i * STEP + (STEP - WIDTH) / 2}" y="${HEIGHT - height}" width="${WIDTH}" height="${height}" />`;

/** A part of a whole, as a line below its name. */
export const share = (part: number, whole: number): Html =>
  html`<svg class="part-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="part-bar-all" width="100" height="4" /><rect class="bar" width="${whole === 0 ? 0 : (part * 100) / whole}" height="4" /></svg>`;

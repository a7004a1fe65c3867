import { decimalOf, inThousands } from '@cobro/contracts/amount.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { plain } from '@cobro/html/plain.ts';
import { partWords } from './words.ts';

export type Tone = 'good' | 'bad' | 'wait' | 'quiet';

/** A state in one word; its colour adds nothing to the word. */
export const badge = (tone: Tone, word: string): Html => html`<span class="badge ${tone}">${word}</span>`;

/** Centavos as pesos, with a minus sign if negative: "−$1,250.50". */
export const signedPesos = (centavos: bigint): string =>
  `${centavos < 0n ? '−' : ''}$${inThousands(decimalOf(centavos < 0n ? -centavos : centavos))}`;

/** Pesos of the API, as number or decimal string, in whole centavos. Sums may be larger than any payment. */
export const centavosIn = (pesos: number | string): bigint => BigInt(Math.round(Number(pesos) * 100));

/** "96,382" */
export const inFigures = (count: number): string => count.toLocaleString('en-US');

/** "12 of 1,000", or "12" if there is no limit. */
export const countOf = (
  { paymentsCount, maxPayments }: { paymentsCount: number; maxPayments: number | null },
  { ofMost }: { ofMost: (count: string, most: string | null) => string },
): string => ofMost(inFigures(paymentsCount), maxPayments === null ? null : inFigures(maxPayments));

export const amount = (centavos: bigint): Html => html`<span class="number">${signedPesos(centavos)}</span>`;

/** A text that a person wrote; its reading direction does not affect the rest. */
export const written = (text: string): Html => html`<bdi>${plain(text)}</bdi>`;

/** The first, with the second smaller below it. */
export const over = (first: Html | string, second: Html | string): Html =>
  html`<span>${first}<span class="under quiet small">${second}</span></span>`;

/** An id or a code, in letters of one width. */
export const code = (text: string): Html => html`<code translate="no">${text}</code>`;

/** A text with a button that copies it, if the script runs. */
export const copyable = (language: Language, text: string): Html => {
  return html`<span class="copyable">${code(text)} ${copyButton(language, text)}</span>`;
};

const copyButton = (language: Language, text: string): Html => {
  const { copy, copied } = partWords[language];
  return html`<button type="button" class="copy second" data-copy="${text}" data-copied="${copied}" hidden>${copy}</button>`;
};

/** Lines for a program, which may be longer than the page is wide. */
export const lines = (language: Language, text: string): Html =>
  html`<pre class="commands" tabindex="0" translate="no"><code>${text}</code></pre>
    <p class="actions">${copyButton(language, text)}</p>`;

type Fact = readonly [label: string, value: Html | string | null];

/** Names and values. A name without a value is left out. */
export const facts = (given: readonly Fact[]): Html =>
  html`<dl class="facts">
    ${given
      .filter(([, value]) => value !== null && value !== '')
      .map(
        ([label, value]) =>
          html`<div>
            <dt>${label}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>`;

interface EmptyView {
  title: string;
  text: Html | string;
  action?: Html;
}

/** Shown instead of an empty list, with what to do. */
export const empty = ({ title, text, action }: EmptyView): Html =>
  html`<div class="empty">
    <h2>${title}</h2>
    <p>${text}</p>
    ${action && html`<p class="actions">${action}</p>`}
  </div>`;

/** A panel whose data did not come in time. */
export const unavailable = (language: Language): Html => {
  const { title, text } = partWords[language].unavailable;
  return html`<div class="empty missing" role="status"><p><strong>${title}.</strong> ${text}</p></div>`;
};

export const button = (href: string, label: string, kind = ''): Html =>
  html`<a class="button${kind && ` ${kind}`}" href="${href}">${label}</a>`;

import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { partWords } from './words.ts';

/** The links below a list; null where there is nothing to go to. */
export function pager(language: Language, { next, first }: { next: string | null; first: string | null }): Html | null {
  if (next === null && first === null) return null;
  const words = partWords[language];
  return html`<p class="pager">
    ${first !== null && html`<a class="button second" href="${first}">${words.newest}</a>`}
    ${next !== null && html`<a class="button second" href="${next}" rel="next">${words.more} ›</a>`}
  </p>`;
}

import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { partWords } from './words.ts';

/** The links below a list; null if there is no other page. */
export function pager(language: Language, { next, first }: { next: string | null; first: string | null }): Html | null {
  if (next === null && first === null) return null;
  const words = partWords[language];
  return html`<p class="pager">
    ${first !== null && html`<a class="button second" href="${first}">${words.newest}</a>`}
    ${next !== null && html`<a class="button second" href="${next}" rel="next">${words.more} ›</a>`}
  </p>`;
}

/** The links from a page of an offset list to its neighbours; null if there is one page. `isCapped`: the API lists no more. */
export function offsetPager(
  language: Language,
  { page, hasMore, isCapped = false }: { page: number; hasMore: boolean; isCapped?: boolean },
  hrefOf: (page: number) => string,
): Html | null {
  if (page === 1 && !hasMore) return null;
  const words = partWords[language];
  return html`${isCapped && html`<p class="quiet">${words.capped}</p>`}<p class="pager">
    ${page > 1 && html`<a class="button second" href="${hrefOf(page - 1)}" rel="prev">‹ ${words.newer}</a>`}
    ${hasMore && html`<a class="button second" href="${hrefOf(page + 1)}" rel="next">${words.more} ›</a>`}
  </p>`;
}

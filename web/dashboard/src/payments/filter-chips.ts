import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { written } from '../parts/small-parts.ts';
import { listWords } from './list-words.ts';

interface Chip {
  label: string;
  /** The list's address without this filter. */
  without: string;
}

/** Each filter with a link that takes it off. */
export function chips(language: Language, set: readonly Chip[]): Html | null {
  if (set.length === 0) return null;
  const { remove } = listWords[language];
  return html`<ul class="chips">
    ${set.map(
      ({ label, without }) =>
        html`<li><a href="${without}" aria-label="${remove(label)}">${written(label)}<span aria-hidden="true">✕</span></a></li>`,
    )}
  </ul>`;
}

/** Whether a date field takes this text: the address may have anything. */
export const isDay = (text: string | undefined): text is string => text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text);

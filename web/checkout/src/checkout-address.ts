import type { Language } from '@cobro/html/language.ts';

/**
 * Where a page of a one-time payment is, from the root: what a 303 leads to, what the switch of languages and the waiting page
 * link to. `attempt` is what names the attempt whose outcome is shown.
 */
export function checkoutAddress(id: string, query: { attempt?: string | null; language?: Language } = {}): string {
  const parameters = new URLSearchParams();
  if (query.attempt) parameters.set('attempt', query.attempt);
  if (query.language) parameters.set('lang', query.language);
  return `/checkout/${encodeURIComponent(id)}${parameters.size > 0 ? `?${parameters.toString()}` : ''}`;
}

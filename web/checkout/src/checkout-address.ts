import type { Language } from '@cobro/html/language.ts';

/**
 * The address of a one-time payment's page, from the root, for a 303, the language switch and the waiting page. `attempt` names
 * the attempt whose outcome is shown.
 */
export function checkoutAddress(id: string, query: { attempt?: string | null; language?: Language } = {}): string {
  const parameters = new URLSearchParams();
  if (query.attempt) parameters.set('attempt', query.attempt);
  if (query.language) parameters.set('lang', query.language);
  return `/checkout/${encodeURIComponent(id)}${parameters.size > 0 ? `?${parameters.toString()}` : ''}`;
}

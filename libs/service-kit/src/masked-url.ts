/** Long runs of digits in a URL or a header may be a card number that the caller put there by mistake. */
export const masked = (text: string): string => text.replaceAll(/\d{12,}/g, '[digits]');

/** Path and query of a request, for its span. */
export const urlAttributes = (url: string | undefined) => {
  const [path = '', query] = masked(url ?? '').split('?', 2);
  return { 'url.path': path, ...(query === undefined ? {} : { 'url.query': query }) };
};

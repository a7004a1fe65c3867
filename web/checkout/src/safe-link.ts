/** An address that may stand in a link: http or https, as the browser would read it. Anything else is no link. */
export function safeLink(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}

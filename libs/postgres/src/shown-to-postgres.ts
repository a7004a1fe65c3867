import { shownFiles } from '@cobro/certificates/shown-certificate.ts';

/**
 * Adds the files of this process's client certificate, if it has one, to a server's address. The driver reads them for each
 * connection.
 */
export function shownToPostgres(url: string): string {
  const files = shownFiles('postgres');
  if (files === undefined) return url;
  const { cert, key } = files;
  return `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams({ sslcert: cert, sslkey: key }).toString()}`;
}

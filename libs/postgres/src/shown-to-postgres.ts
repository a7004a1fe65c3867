import { shownFiles } from '@cobro/certificates/shown-certificate.ts';

/**
 * The address of a server, with the certificate that this process shows to it where it has one. The driver reads the files for each
 * connection.
 */
export function shownToPostgres(url: string): string {
  const files = shownFiles('postgres');
  if (files === undefined) return url;
  const { cert, key } = files;
  return `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams({ sslcert: cert, sslkey: key }).toString()}`;
}

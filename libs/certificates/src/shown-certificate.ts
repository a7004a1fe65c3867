import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SecureContext } from 'node:tls';
import { freshContext } from './fresh-context.ts';

/** A server that may ask who connects to it. */
export type AskingServer = 'postgres' | 'rabbitmq' | 'redis' | 'bank';

/**
 * The files of the certificate that this process shows to a server: `<server>.crt` and `<server>.key` in the folder CLIENT_CERTIFICATES.
 * Returns undefined if it shows none.
 */
export function shownFiles(server: AskingServer): { cert: string; key: string } | undefined {
  const folder = process.env['CLIENT_CERTIFICATES'];
  if (folder === undefined || folder === '') return undefined;
  const files = { cert: join(folder, `${server}.crt`), key: join(folder, `${server}.key`) };
  return existsSync(files.cert) ? files : undefined;
}

/** The TLS client option that shows this certificate; empty if there is none. */
export function shownTo(server: AskingServer): { secureContext?: SecureContext } {
  const files = shownFiles(server);
  if (files === undefined) return {};
  const read = () => ({ cert: readFileSync(files.cert), key: readFileSync(files.key) });
  return { secureContext: freshContext(read) };
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SecureContext } from 'node:tls';
import { freshContext } from '@cobro/certificates/fresh-context.ts';

/** TLS between our own processes. */
export interface OwnTls {
  /** Has `tls.crt` and `tls.key` of this process, and `ca.crt` of the authority that made those of all, as cert-manager writes them. */
  folder: string;
  /** False while TLS is being switched on or off: then listeners take requests in clear too. */
  required: boolean;
}

const FILES = { cert: 'tls.crt', key: 'tls.key', ca: 'ca.crt' } as const;

export const holdsOwnCertificate = (folder: string): boolean =>
  Object.values(FILES).every((file) => existsSync(join(folder, file)));

export const readOwnCertificate = ({ folder }: OwnTls): Record<keyof typeof FILES, Buffer> => ({
  cert: readFileSync(join(folder, FILES.cert)),
  key: readFileSync(join(folder, FILES.key)),
  ca: readFileSync(join(folder, FILES.ca)),
});

interface ConnectOptions {
  timeout: number;
  secureContext?: SecureContext;
  allowH2?: boolean;
  maxCachedSessions?: number;
}

/**
 * How undici connects to a process of ours. Where the address is https, it shows the certificate as it is then, and believes no other
 * authority. Every connection is proved anew: none goes on from a session of an earlier certificate.
 */
export function connectToOwn(tls: OwnTls | undefined): ConnectOptions {
  const timeout = 1_000;
  if (tls === undefined) return { timeout };
  return { timeout, secureContext: freshContext(() => readOwnCertificate(tls)), allowH2: false, maxCachedSessions: 0 };
}

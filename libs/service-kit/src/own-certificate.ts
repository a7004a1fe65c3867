import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { freshContext } from '@cobro/certificates/fresh-context.ts';
import type { buildConnector } from 'undici';
import connector from 'undici/lib/core/connect.js';
import errors from 'undici/lib/core/errors.js';

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

/** A dead pod takes no connection. */
const TAKEN_WITHIN_MS = 1_000;
/** A process that lives proves itself late where the cores are full. A try that is given up for that would begin anew, at the end of the queue. */
const PROVED_WITHIN_MS = 5_000;

/**
 * How undici connects to a process of ours. Where the address is https, it shows the certificate as it is then, and believes no other
 * authority. Every connection is proved anew: none goes on from a session of an earlier certificate.
 */
export function connectToOwn(tls: OwnTls | undefined): { timeout: number } | buildConnector.connector {
  if (tls === undefined) return { timeout: TAKEN_WITHIN_MS };
  const secureContext = freshContext(() => readOwnCertificate(tls));
  const connect = connector({ timeout: PROVED_WITHIN_MS, secureContext, allowH2: false, maxCachedSessions: 0 });
  return (target, callback) => {
    // undici's types do not say that it returns the socket.
    const socket = connect(target, callback) as unknown as Socket;
    let late: NodeJS.Immediate | undefined;
    // As undici does it: a connection that was made in time and is seen late, because this process was busy, counts.
    const timer = setTimeout(() => (late = setImmediate(() => socket.destroy(notTaken(target)))), TAKEN_WITHIN_MS);
    const stop = () => {
      clearTimeout(timer);
      clearImmediate(late);
    };
    socket.once('connect', stop).once('close', stop);
  };
}

const notTaken = ({ hostname, port }: buildConnector.Options) =>
  new errors.ConnectTimeoutError(`${hostname}:${port} took no connection within ${TAKEN_WITHIN_MS} ms`);

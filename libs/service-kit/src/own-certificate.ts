import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { freshContext } from '@cobro/certificates/fresh-context.ts';
import type { buildConnector } from 'undici';
import connector from 'undici/lib/core/connect.js';
import errors from 'undici/lib/core/errors.js';

/** TLS between our own processes. */
export interface OwnTls {
  /** Holds this process's `tls.crt` and `tls.key`, and `ca.crt` of the authority of all our processes, as cert-manager writes them. */
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

/** After this time a pod that has accepted no connection counts as dead. */
const TAKEN_WITHIN_MS = 1_000;
/** On full cores a live process finishes the handshake late. A new try would begin at the end of the queue. */
const PROVED_WITHIN_MS = 5_000;

/**
 * How undici connects to our own processes. If the address is https, it shows the current certificate, and believes no authority but
 * ours. No connection resumes a TLS session, which would go on with an earlier certificate.
 */
export function connectToOwn(tls: OwnTls | undefined): { timeout: number } | buildConnector.connector {
  if (tls === undefined) return { timeout: TAKEN_WITHIN_MS };
  const secureContext = freshContext(() => readOwnCertificate(tls));
  const connect = connector({ timeout: PROVED_WITHIN_MS, secureContext, allowH2: false, maxCachedSessions: 0 });
  return (target, callback) => {
    // undici's types do not say that it returns the socket.
    const socket = connect(target, callback) as unknown as Socket;
    let late: NodeJS.Immediate | undefined;
    // Like undici's own: a connection that was made in time but noticed late, because this process was busy, counts.
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

/** Where Redis is, and how it is run. */
export type RedisAddress =
  | { mode: 'single'; url: string }
  | (Several & { mode: 'cluster' })
  | (Several & {
      mode: 'sentinel';
      /** The name by which the sentinels know the server that is written to. */
      master: string;
      /** The password of the sentinels themselves; many need none. */
      sentinelPassword: string | undefined;
      database: number;
    });

interface Several {
  hosts: { host: string; port: number }[];
  username: string | undefined;
  password: string | undefined;
  tls: boolean;
}

const ADDRESS = /^(rediss?):\/\/(?:([^@/?]*)@)?([^@/?]+)(?:\/(\d*))?(?:\?(.*))?$/;
const PORTS = { cluster: 6379, sentinel: 26_379 };

/**
 * Reads one of
 * - `redis://user:password@host:6379/0`
 * - `redis://user:password@a:6379,b:6379?mode=cluster`
 * - `redis://user:password@a:26379,b:26379/0?mode=sentinel&master=NAME&sentinelPassword=…`
 *
 * with `rediss:` for TLS. Returns undefined if it is none of them.
 */
export function readRedisAddress(text: string): RedisAddress | undefined {
  const [, protocol, user, hosts = '', database = '', query = ''] = ADDRESS.exec(text) ?? [];
  if (protocol === undefined) return undefined;
  const { mode, ...rest } = Object.fromEntries(new URLSearchParams(query));
  if (mode === undefined) return URL.canParse(text) && query === '' ? { mode: 'single', url: text } : undefined;
  if (mode !== 'cluster' && mode !== 'sentinel') return undefined;
  const read = hosts.split(',').map((host) => readHost(host, PORTS[mode]));
  const credentials = readCredentials(user);
  if (credentials === undefined || !read.every((host) => host !== undefined)) return undefined;
  const several = { hosts: read, ...credentials, tls: protocol === 'rediss' };
  const { master, sentinelPassword, ...unknown } = rest;
  if (Object.keys(unknown).length > 0) return undefined;
  if (mode === 'sentinel') {
    return master ? { mode, ...several, master, sentinelPassword, database: Number(database) } : undefined;
  }
  // A cluster has no databases besides 0, and no sentinels.
  const isPlain = master === undefined && sentinelPassword === undefined && Number(database) === 0;
  return isPlain ? { mode, ...several } : undefined;
}

function readHost(text: string, otherwise: number) {
  const url = URL.parse(`redis://${text}`);
  if (url === null || url.hostname === '') return undefined;
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: url.port === '' ? otherwise : Number(url.port) };
}

function readCredentials(user: string | undefined) {
  try {
    const [username = '', ...password] = (user ?? '').split(':').map(decodeURIComponent);
    return { username: username || undefined, password: password.join(':') || undefined };
  } catch {
    return undefined;
  }
}

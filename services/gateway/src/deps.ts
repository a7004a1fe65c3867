import type { Caller } from '@cobro/contracts/caller.ts';
import type { RateLimit } from '@cobro/limits/rate-limit.ts';
import type { Log } from '@cobro/service-kit/log.ts';
import type { TokenSigner } from '@cobro/service-kit/internal-token.ts';
import type { KeyCache } from './door/key-cache.ts';
import type { KeyMode } from './registry/key.rules.ts';
import type { OutsideRoute } from './door/outside-routes.ts';
import type { Upstream } from './door/upstream.ts';

export interface Deps {
  log: Log;
  keys: KeyCache;
  keyMode: KeyMode;
  /** Of the requests of one key to metered routes. */
  rateLimit: RateLimit;
  /** How many entries of X-Forwarded-For are our own proxies'. */
  trustedProxyHops: number;
  sign: TokenSigner;
  /** Connections to each service; the routes of one that this deployment does not have answer 501. */
  upstreams: Readonly<Record<string, Upstream | undefined>>;
  routes: { main: readonly OutsideRoute[]; partner: readonly OutsideRoute[] };
  /** Throws where requests cannot be served now. */
  ready: () => Promise<void>;
}

/** Callers from outside. */
export type OutsideCaller = Exclude<Caller, { kind: 'service' }>;

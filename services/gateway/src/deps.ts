import type { Caller } from '@cobro/contracts/caller.ts';
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
  sign: TokenSigner;
  /** Connections to each service; the routes of one that this deployment does not have answer 501. */
  upstreams: Readonly<Record<string, Upstream | undefined>>;
  routes: { main: readonly OutsideRoute[]; partner: readonly OutsideRoute[] };
  /** Throws where requests cannot be served now. */
  ready: () => Promise<void>;
}

/** Callers from outside. */
export type OutsideCaller = Exclude<Caller, { kind: 'service' }>;

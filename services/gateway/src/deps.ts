import type { Caller } from '@cobro/contracts/caller.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import type { RateLimit } from '@cobro/limits/rate-limit.ts';
import type { Database } from '@cobro/postgres/database.ts';
import type { Readiness } from '@cobro/service-kit/degradation.ts';
import type { RequestBodies } from '@cobro/service-kit/request-bodies.ts';
import type { Log } from '@cobro/service-kit/log.ts';
import type { TokenSigner, TokenVerifier } from '@cobro/service-kit/internal-token.ts';
import type { Backlog } from './door/backlog.ts';
import type { KeyCache } from './door/key-cache.ts';
import type { KeyUses } from './door/key-uses.ts';
import type { KeyMode } from './registry/key.rules.ts';
import type { OutsideRoute } from './door/outside-routes.ts';
import type { Upstream } from './door/upstream.ts';

export interface Deps {
  log: Log;
  db: Database;
  keys: KeyCache;
  keyUses: KeyUses;
  keyMode: KeyMode;
  /** Counts requests of a key or person to metered routes. */
  rateLimit: RateLimit;
  /** Counts the refunds, and the charges of saved cards, that people of one organization ask for. */
  moneyLimit: RateLimit;
  /** Counts the keys that people of one organization or sales partner ask for. */
  keyLimit: RateLimit;
  /** Counts the changes that platform callers make. */
  platformLimit: RateLimit;
  /** A form's API key is computed from this secret and the form. All replicas have the same. */
  keySecret: Secret<Buffer>;
  /** How many entries at the end of X-Forwarded-For our own proxies write. */
  trustedProxyHops: number;
  sign: TokenSigner;
  /** Verifies a token for this process; returns its issuer and caller. */
  verifyToken: TokenVerifier;
  /** Connections to each service. A service that this deployment does not have has none, and its routes answer 501. */
  upstreams: Readonly<Record<string, Upstream | undefined>>;
  /** Gives events to payments before the broker does. */
  handOver: (events: Envelope[]) => Promise<unknown>;
  backlog: Backlog;
  /** The bodies of requests to all listeners. */
  bodies: RequestBodies;
  routes: Readonly<Record<'main' | 'partner' | 'people', readonly OutsideRoute[]>>;
  ready: Readiness;
}

/** Callers for whom the gateway calls a service. */
export type OutsideCaller = Exclude<Caller, { kind: 'service' | 'person' }>;

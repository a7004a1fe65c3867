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
  /** Counts the requests of one key to metered routes. */
  rateLimit: RateLimit;
  /** Counts the refunds, and the charges of saved cards, that people of one organization ask for. */
  moneyLimit: RateLimit;
  /** Counts the keys that people of one organization or sales partner ask for. */
  keyLimit: RateLimit;
  /** Counts what whoever runs the platform changes. */
  platformLimit: RateLimit;
  /** From it and from a form the key is computed that the form makes. The same in all replicas. */
  keySecret: Secret<Buffer>;
  /** How many entries at the end of X-Forwarded-For our own proxies write. */
  trustedProxyHops: number;
  sign: TokenSigner;
  /** Says who a token for this process is from. */
  verifyToken: TokenVerifier;
  /** Connections to each service. A service that this deployment does not have has none, and its routes answer 501. */
  upstreams: Readonly<Record<string, Upstream | undefined>>;
  /** Gives events to payments before the broker does. */
  handOver: (events: Envelope[]) => Promise<void>;
  backlog: Backlog;
  /** The bodies of requests to all listeners. */
  bodies: RequestBodies;
  routes: Readonly<Record<'main' | 'partner' | 'people', readonly OutsideRoute[]>>;
  ready: Readiness;
}

/** For whom the gateway asks a service. */
export type OutsideCaller = Exclude<Caller, { kind: 'service' | 'person' }>;

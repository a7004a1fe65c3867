import type { Database } from '@cobro/postgres/database.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';
import type { Log } from '@cobro/service-kit/log.ts';
import type { Outbound } from '@cobro/outbound/outbound.ts';
import type { RequestBodies } from '@cobro/service-kit/request-bodies.ts';
import type { DashboardAssets } from '@cobro/dashboard/assets.ts';
import type { Api, OpenApi } from './http/api.ts';
import type { NewsWaits } from './live/news-waits.ts';

export interface Deps {
  db: Database;
  log: Log;
  /** Business time. People, sessions and locks use real time. */
  clock: Clock;
  assets: DashboardAssets;
  /** Seals second factors, issuers' secrets, and the cookie that recognizes a browser. */
  secretKeys: KeyRing;
  /** Address of the pages, without a slash at the end. */
  baseUrl: string;
  /** Address of the API, for commands to copy; null if it is not configured. */
  apiBaseUrl: string | null;
  isTestMode: boolean;
  /** Address of the business clock's holder; set only if the clock may be moved: in a demo or a test. */
  clockUrl: string | undefined;
  trustedProxyHops: number;
  /** Aborted when the process is to end, so that waits for news end. */
  draining: AbortSignal;
  newsWaits: NewsWaits;
  bodies: RequestBodies;
  openApi: OpenApi;
  openStream: Api['openStream'];
  /** Number of parked events; undefined while the broker is away. */
  countParked: () => Promise<number | undefined>;
  /** Sends requests to OpenID Connect issuers, whose addresses owners enter. */
  outbound: Outbound;
  allowsLoopbackIssuers: boolean;
}

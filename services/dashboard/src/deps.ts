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
  /** Which day it is for the business. People, sessions and locks go by real time. */
  clock: Clock;
  assets: DashboardAssets;
  /** Seals second factors, and the cookie by which a browser is known again. */
  secretKeys: KeyRing;
  /** Where the pages are, without a slash at the end. */
  baseUrl: string;
  /** Where the API is, for commands to copy; null where the deployment does not say. */
  apiBaseUrl: string | null;
  isTestMode: boolean;
  /** Who holds the business clock, where it may be moved: in a demo or a test. */
  clockUrl: string | undefined;
  trustedProxyHops: number;
  /** Aborted when the process is to end: nobody waits for news any more. */
  draining: AbortSignal;
  newsWaits: NewsWaits;
  bodies: RequestBodies;
  openApi: OpenApi;
  openStream: Api['openStream'];
  /** How many events a consumer could not apply. Undefined while the broker is away. */
  countParked: () => Promise<number | undefined>;
  /** To issuers of OpenID Connect, whose addresses owners enter. */
  outbound: Outbound;
  allowsLoopbackIssuers: boolean;
}

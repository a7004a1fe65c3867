import type { KeyRing } from '@cobro/service-kit/key-ring.ts';
import type { Database } from '@cobro/postgres/database.ts';
import type { Log } from '@cobro/service-kit/log.ts';
import type { Capabilities } from '@cobro/contracts/acquirer/capabilities.ts';
import type { StripeClient } from './stripe.client.ts';

export interface Deps {
  db: Database;
  stripe: StripeClient;
  log: Log;
  fingerprintKeys: KeyRing;
  capabilities: Capabilities;
}

/** Operations that this process is at work on, by key. */
export type UnderWay = Map<string, Promise<unknown>>;

import type { Reads } from '@cobro/frame/open-reads.ts';
import type { Database } from '@cobro/postgres/database.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import type { ServiceClient } from '@cobro/service-kit/service-client.ts';
import type { WaitingReaders } from './waiting-readers.ts';

export interface Deps {
  db: Database;
  /** The connections of the feeds. */
  reads: Reads;
  clock: Clock;
  payments: ServiceClient;
  /** Merchants who wait for events at this replica. */
  readers: WaitingReaders;
}

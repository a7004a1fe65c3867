import type { Database } from '@cobro/postgres/database.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';
import type { Reads } from './open-reads.ts';

export interface Deps {
  /** The connections of the projection. */
  db: Database;
  /** The connections of the lists and the detail. */
  reads: Reads;
  clock: Clock;
  /** Signs the cursors of the lists. */
  cursorKeys: KeyRing;
}

import type { Reads } from '@cobro/frame/open-reads.ts';
import type { Database } from '@cobro/postgres/database.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';

export interface Deps {
  /** The connections of the projection. */
  db: Database;
  /** The connections of the lists and the detail. A partner's searches can take only the partners' connections. */
  reads: { merchants: Reads; partners: Reads };
  clock: Clock;
  /** Signs the cursors of the lists. */
  cursorKeys: KeyRing;
}

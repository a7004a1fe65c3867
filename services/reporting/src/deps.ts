import type { Secret } from '@cobro/contracts/secret.ts';
import type { Database } from '@cobro/postgres/database.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';

export interface Deps {
  db: Database;
  clock: Clock;
  /** Signs the cursors of the lists. */
  cursorKey: Secret<Buffer>;
}

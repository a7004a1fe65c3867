import type { Journal } from '@cobro/bank/journal.ts';
import type { Outbox } from '@cobro/events/outbox.ts';
import type { Database } from '@cobro/postgres/database.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import type { Log } from '@cobro/service-kit/log.ts';
import type { ServiceClient } from '@cobro/service-kit/service-client.ts';
import type { HandOverEnding } from './hand-over-endings.ts';

export interface Deps {
  db: Database;
  outbox: Outbox;
  journal: Journal;
  clock: Clock;
  payments: ServiceClient;
  handOverEnding: HandOverEnding;
  log: Log;
}

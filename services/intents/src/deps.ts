import type { Signals } from '@cobro/async/signals.ts';
import type { Vault } from '@cobro/bank/vault.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import type { Outbox } from '@cobro/events/outbox.ts';
import type { DeclineLimits } from '@cobro/limits/decline-limits.ts';
import type { Reads } from '@cobro/frame/open-reads.ts';
import type { Database } from '@cobro/postgres/database.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';
import type { Log } from '@cobro/service-kit/log.ts';
import type { ServiceClient } from '@cobro/service-kit/service-client.ts';
import type { PaymentIntentRow } from './intents/payment-intent.row.ts';
import type { AcquirerOf } from './terminals/acquirer-of-organization.ts';
import type { WaitingTerminals } from './terminals/waiting-terminals.ts';

export interface Deps {
  db: Database;
  /** The connections of the lists. */
  reads: Reads;
  outbox: Outbox;
  clock: Clock;
  log: Log;
  payments: ServiceClient;
  vault: Vault;
  acquirerOf: AcquirerOf;
  /** Gives events to payments before the broker does. */
  handOver: (events: Envelope[]) => Promise<unknown>;
  tapKeys: KeyRing;
  fingerprintKeys: KeyRing;
  /** Signs the cursors of the lists. */
  cursorKeys: KeyRing;
  lifetimeMs: number;
  declineLimits: DeclineLimits<'terminal'>;
  /** Terminals that wait at this replica for their next intent. */
  waitingTerminals: WaitingTerminals<PaymentIntentRow>;
  /** Requests of this replica that wait for the outcome of a charge, by intent. */
  outcomes: Signals<void>;
}

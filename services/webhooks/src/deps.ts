import type { Waker } from '@cobro/async/waker.ts';
import type { Reads } from '@cobro/frame/open-reads.ts';
import type { Outbound } from '@cobro/outbound/outbound.ts';
import type { Database } from '@cobro/postgres/database.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';
import type { Log } from '@cobro/service-kit/log.ts';
import type { Sender } from './deliveries/sender.ts';
import type { PlacedHolds } from './events/placed-holds.ts';
import type { WaitingReaders } from './events/waiting-readers.ts';

export interface Deps {
  db: Database;
  /** The connections for callers' reads. */
  reads: Reads;
  clock: Clock;
  placedHolds: PlacedHolds;
  log: Log;
  outbound: Outbound;
  /** Seals the secrets of endpoints. */
  secretKeys: KeyRing;
  sender: Sender;
  /** The endpoints at which this process works, with their organizations. */
  leased: Map<string, string>;
  /** Woken when something is to be sent. */
  due: Waker;
  countDelivery: (outcome: 'delivered' | 'refused' | 'failed') => void;
  /** Merchants who wait for events at this replica. */
  readers: WaitingReaders;
}

import type { Journal } from '@cobro/bank/journal.ts';
import type { CheckoutAssets } from '@cobro/checkout/assets.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import type { DeclineLimits } from '@cobro/limits/decline-limits.ts';
import type { RateLimit } from '@cobro/limits/rate-limit.ts';
import type { RefusalWatch } from '@cobro/limits/refusal-watch.ts';
import type { Outbox } from '@cobro/events/outbox.ts';
import type { Reads } from '@cobro/frame/open-reads.ts';
import type { Database } from '@cobro/postgres/database.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import type { Log } from '@cobro/service-kit/log.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';
import type { ServiceClient } from '@cobro/service-kit/service-client.ts';
import type { MissedEndings } from './payments/missed-endings.ts';
import type { settlers } from './settlers.ts';

export interface Deps {
  db: Database;
  /** Connections for lists and other reads. */
  reads: Reads;
  outbox: Outbox;
  journal: Journal;
  /** What the ending of each operation changes. */
  settlers: ReturnType<typeof settlers>;
  clock: Clock;
  log: Log;
  holds: ServiceClient;
  missedEndings: MissedEndings;
  intents: ServiceClient;
  /** Gives events to the services that follow them before the broker does. */
  handOver: (events: Envelope[]) => Promise<unknown>;
  /** Runs work that no request waits for. */
  inBackground: (work: () => Promise<unknown>) => void;
  vaultKeys: KeyRing;
  tapKeys: KeyRing;
  fingerprintKeys: KeyRing;
  /** Signs the cursors of the lists. */
  cursorKeys: KeyRing;
  callTimeoutMs: number;
  limits: {
    link: DeclineLimits<'link'>;
    paymentLink: DeclineLimits<'paymentLink'>;
    saving: DeclineLimits<'saving'>;
  };
  /** Limits what one organization's people refund, and charge, in an hour. */
  peopleLimit: RateLimit;
  refusalWatch: RefusalWatch;
  /** The part of a checkout's address before `/checkout/{id}`, without a slash at the end. */
  checkoutBaseUrl: string;
  /** Signs the tokens in the checkout's forms. */
  checkoutKeys: KeyRing;
  checkoutAssets: CheckoutAssets;
}

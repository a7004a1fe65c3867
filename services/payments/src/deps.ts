import type { Journal } from '@cobro/bank/journal.ts';
import type { CheckoutAssets } from '@cobro/checkout/assets.ts';
import type { DeclineLimits } from '@cobro/limits/decline-limits.ts';
import type { Outbox } from '@cobro/events/outbox.ts';
import type { Database } from '@cobro/postgres/database.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';
import type { ServiceClient } from '@cobro/service-kit/service-client.ts';
import type { PaymentRow } from './payments/payment.row.ts';

export interface Deps {
  db: Database;
  outbox: Outbox;
  journal: Journal<PaymentRow>;
  clock: Clock;
  holds: ServiceClient;
  intents: ServiceClient;
  /** Runs work that no request waits for. */
  inBackground: (work: () => Promise<void>) => void;
  vaultKeys: KeyRing;
  tapKeys: KeyRing;
  fingerprintKeys: KeyRing;
  callTimeoutMs: number;
  declineLimits: DeclineLimits;
  /** The part of a checkout's address before `/checkout/{id}`, without a slash at the end. */
  checkoutBaseUrl: string;
  /** Signs the tokens in the checkout's forms. */
  checkoutKeys: KeyRing;
  checkoutAssets: CheckoutAssets;
}

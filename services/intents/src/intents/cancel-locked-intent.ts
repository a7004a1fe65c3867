import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { Deps } from '../deps.ts';
import { announceEnd } from './announce-end.ts';
import type { PaymentIntentRow } from './payment-intent.row.ts';
import { cancelRefusal } from './payment-intent.rules.ts';
import { cancelIntent, type Cancelling } from './payment-intent.store.ts';

/** Cancels the locked intent; does nothing if it is CANCELLED already. @throws Refusal 409 if it was paid or is being paid */
export async function cancelLockedIntent(
  deps: Deps,
  tx: Tx,
  intent: PaymentIntentRow,
  cancelling: Cancelling,
): Promise<void> {
  if (intent.status === 'CANCELLED') return;
  const refused = cancelRefusal(intent);
  if (refused !== undefined) throw new Refusal(refused);
  announceEnd(deps, tx, await cancelIntent(tx, intent.id, cancelling, deps.clock.now()));
}

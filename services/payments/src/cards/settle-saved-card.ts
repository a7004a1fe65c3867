import type { Ending, Operation, Settled } from '@cobro/bank/journal.ts';
import { newEvent } from '@cobro/contracts/events.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';
import { seal } from '@cobro/service-kit/seal.ts';
import { activatePaymentMethod, refusePaymentMethod } from './payment-method.store.ts';

/**
 * Keeps the vault's token, sealed. A card that the bank did not take becomes REVOKED and is not deleted here: if we do not hear
 * of this commit, the caller gets a 202, and that must not point to nothing.
 */
export async function settleSavedCard(
  vaultKeys: KeyRing,
  tx: Tx,
  operation: Operation,
  ending: Ending,
): Promise<Settled<never>> {
  const id = operation.subjectId;
  if (ending.outcome === 'approved') {
    const { vaulted } = ending;
    if (vaulted === undefined) throw new Error('the vault answered without a token');
    const row = await activatePaymentMethod(tx, id, { ...vaulted, sealedToken: seal(vaultKeys, id, vaulted.token) });
    // The merchant revoked the card while we waited for the bank.
    if (row === undefined) return { events: [] };
    const { organizationId, lastFourDigits, network, version } = row;
    const data = { paymentMethodId: id, organizationId, lastFourDigits, network, savedAt: ending.time };
    return { events: [newEvent('PaymentMethodSaved', { subject: id, sequence: version, time: ending.time, data })] };
  }
  refusePaymentMethod(tx, id);
  return { events: [] };
}

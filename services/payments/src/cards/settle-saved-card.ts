import type { Ending, Operation, Settled } from '@cobro/bank/journal.ts';
import { newEvent } from '@cobro/contracts/events.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import { seal } from '@cobro/service-kit/seal.ts';
import { activatePaymentMethod, forgetPaymentMethod, revokePaymentMethod } from './payment-method.store.ts';

/** Keeps the vault's token, sealed; a card that the bank refused is not kept. */
export async function settleSavedCard(
  vaultKey: Secret<Buffer>,
  tx: Tx,
  operation: Operation,
  ending: Ending,
): Promise<Settled<never>> {
  const id = operation.subjectId;
  if (ending.outcome === 'approved') {
    const { vaulted } = ending;
    if (vaulted === undefined) throw new Error('the vault answered without a token');
    const row = await activatePaymentMethod(tx, id, { ...vaulted, sealedToken: seal(vaultKey, id, vaulted.token) });
    // Revoked while the bank was still to answer.
    if (row === undefined) return { events: [] };
    const { organizationId, lastFourDigits, network, version } = row;
    const data = { paymentMethodId: id, organizationId, lastFourDigits, network, savedAt: ending.time };
    return { events: [newEvent('PaymentMethodSaved', { subject: id, sequence: version, time: ending.time, data })] };
  }
  // One that a 202 told of stays visible, as REVOKED; one whose refusal is the answer is as if it had not been sent.
  const told = operation.unansweredAt !== null || ending.outcome === 'not_processed';
  if (told) await revokePaymentMethod(tx, id);
  else await forgetPaymentMethod(tx, id);
  return { events: [] };
}

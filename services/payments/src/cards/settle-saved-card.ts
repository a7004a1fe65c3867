import type { Settler } from '@cobro/bank/journal.ts';
import { newEvent } from '@cobro/contracts/events.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';
import { seal } from '@cobro/service-kit/seal.ts';
import type { PaymentMethodRow } from './payment-method.row.ts';
import { paymentMethodSubject } from './payment-method.store.ts';

/**
 * Stores the vault's token, sealed. A card that the bank did not take becomes REVOKED and is not deleted here: if we do not learn
 * of this commit, the caller gets a 202, which must not point to nothing.
 */
export const settleSavedCard = (vaultKeys: KeyRing): Settler<PaymentMethodRow> => ({
  subject: paymentMethodSubject,
  settle: (row, _operation, ending) => {
    // The merchant revoked the card while we waited for the bank.
    if (row.status !== 'PENDING') return { events: [] };
    // The version stays, because no event is published for this.
    if (ending.outcome !== 'approved') return { changes: { status: 'REVOKED' }, events: [] };
    const { vaulted } = ending;
    if (vaulted === undefined) throw new Error('the vault answered without a token');
    const { token, ...card } = vaulted;
    const { id, organizationId, externalId, createdAt } = row;
    const version = row.version + 1;
    const changes = { ...card, status: 'ACTIVE' as const, sealedToken: seal(vaultKeys, id, token), version };
    const { lastFourDigits, network } = card;
    const method = { paymentMethodId: id, organizationId, lastFourDigits, network, externalId, createdAt };
    const data = { ...method, savedAt: ending.time };
    const event = newEvent('PaymentMethodSaved', { subject: id, sequence: version, time: ending.time, data });
    return { changes, events: [event] };
  },
});

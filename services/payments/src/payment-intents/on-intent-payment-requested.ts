import type { DataOf } from '@cobro/contracts/events.ts';
import { chooseFeeChannel } from '@cobro/domain/fees.ts';
import type { Handler } from '@cobro/events/event-handlers.ts';
import type { Deps } from '../deps.ts';
import { listFeeChannels } from '../fees/fee-channel.store.ts';
import { newPayment } from '../payments/payment-attempt.ts';
import { insertTapped } from '../payments/payment.store.ts';
import { cancelTapped } from './cancel-tapped.ts';
import { chargeTap } from './charge-tap.ts';
import { insertTap } from './tap.store.ts';
import { openTappedCard, type TappedCardFacts } from './tapped-card.ts';

type Requested = DataOf<'IntentPaymentRequested'>;

const UNKNOWN = { fundingSource: 'UNKNOWN', issuingBank: 'UNKNOWN' };

/**
 * Writes down the payment, and the tap that is to be charged for it. The bank is asked after the commit, by this process or, if
 * this process dies, by another one. What cannot be charged at all is declined here.
 */
export const onIntentPaymentRequested =
  (deps: Deps): Handler<'IntentPaymentRequested'> =>
  async (tx, asked) => {
    const { paymentId, organizationId, acquirer, terms, chargeBefore } = asked;
    const sealedCard = Buffer.from(asked.sealedCard, 'base64');
    const isLate = chargeBefore.getTime() <= Date.now();
    // An old request's `TAP_KEY` may be gone: opening its card would fail for ever, and the tap would never end.
    const { fundingSource, issuingBank } = isLate ? UNKNOWN : openTappedCard(deps.tapKeys, paymentId, sealedCard);
    const card = { ...asked.card, fundingSource, issuingBank };
    const channels = await listFeeChannels(tx, organizationId);
    const channel = chooseFeeChannel(channels, { type: 'CARD_PRESENT', network: card.network, fundingSource, terms });
    const { paymentIntentId, terminalId, amount } = asked;
    const { salespersonId, salespersonName, salespersonUsername, branchId, branchName } = asked;
    const sold = { salespersonId, salespersonName, salespersonUsername, branchId, branchName };
    const origin = { source: 'PAYMENT_INTENT', paymentIntentId, terminalId, ...sold } as const;
    const made = {
      acquirer,
      organizationId,
      origin,
      type: 'CARD_PRESENT',
      holdFunds: false,
      amount,
      terms,
      channel,
      card,
    } as const;
    insertTapped(tx, paymentId, newPayment(deps, made));
    const refused = isLate ? 'not_processed' : declineCodeOf(asked, card, channel !== undefined);
    if (refused !== undefined) return cancelTapped(deps, tx, paymentId, refused);
    insertTap(tx, { paymentId, sealedCard, chargeBefore });
    tx.afterCommit(() => deps.inBackground(() => chargeTap(deps, { paymentId, acquirer, organizationId })));
  };

/** Why nothing can be sent to the bank; undefined if it can. */
function declineCodeOf(asked: Requested, card: Pick<TappedCardFacts, 'fundingSource'>, hasChannel: boolean) {
  if (asked.terms > 1 && card.fundingSource !== 'CREDIT') return 'terms_not_available';
  return hasChannel ? undefined : 'fee_channel_unknown';
}

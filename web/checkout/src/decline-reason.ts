import type { DeclineReason } from './messages.ts';

const reasons = new Map<string, DeclineReason>([
  ['insufficient_funds', 'insufficientFunds'],
  ['expired_card', 'expiredCard'],
  ['incorrect_cvc', 'wrongCvc'],
  ['invalid_cvc', 'wrongCvc'],
  ['invalid_number', 'wrongNumber'],
  ['incorrect_number', 'wrongNumber'],
  ['unsupported_network', 'unsupportedNetwork'],
  ['card_not_supported', 'notSupported'],
  ['transaction_not_allowed', 'notSupported'],
  ['not_processed', 'notProcessed'],
  ['key_closed', 'notProcessed'],
  ['issuer_not_available', 'notProcessed'],
  ['try_again_later', 'notProcessed'],
]);

/**
 * What a decline code of the bank means to the payer. A card that was reported lost or stolen gets a plain no, so that its holder
 * learns nothing. Every unknown code gets it too.
 */
export function declineReasonOf(declineCode: string): DeclineReason {
  return reasons.get(declineCode) ?? 'generic';
}

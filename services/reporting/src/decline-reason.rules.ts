import type { OwnDeclineCode } from '@cobro/contracts/own-decline-code.ts';
import type { DeclineReason } from '@cobro/contracts/reports.ts';

const reasons: { readonly [C in OwnDeclineCode]: DeclineReason } & Readonly<Record<string, DeclineReason>> = {
  insufficient_funds: 'FUNDS',
  expired_card: 'CARD',
  invalid_number: 'CARD',
  unsupported_network: 'CARD',
  stolen_card: 'CARD',
  lost_card: 'CARD',
  pickup_card: 'CARD',
  transaction_not_allowed: 'CARD',
  do_not_try_again: 'BANK',
  revocation_of_authorization: 'BANK',
  do_not_honor: 'BANK',
  authentication_required: 'BANK',
  refused: 'BANK',
  not_processed: 'OURS',
  bank_unavailable: 'OURS',
  terms_not_available: 'OURS',
  fee_channel_unknown: 'OURS',
  token_spent: 'OURS',
  unknown_token: 'OURS',
  key_closed: 'OURS',
};

/** Who or what is the reason for a decline. A bank may send any code. */
export const declineReason = (declineCode: string | null): DeclineReason => reasons[declineCode ?? ''] ?? 'OTHER';

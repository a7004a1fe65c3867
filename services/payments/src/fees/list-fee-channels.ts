import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listFeeChannels as contract } from '@cobro/contracts/routes/fee-channels.ts';
import { percentage } from '@cobro/domain/fees.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { type FeeChannelRow, listFeeChannels as findFeeChannels } from './fee-channel.store.ts';

/** GET /fee-channel: the organization's own fees, by which its next payments are disbursed. */
export async function listFeeChannels(
  deps: Deps,
  { caller }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const rows = await findFeeChannels(deps.db, caller.organizationId);
  return ok({ items: rows.map(showFeeChannel) });
}

export const showFeeChannel = ({ type, network, fundingSource, terms, ...rates }: FeeChannelRow) => ({
  type,
  network,
  fundingSource,
  terms,
  feePercentage: percentage(rates.feeBps),
  promotionFeeDiscount: percentage(rates.promotionFeeDiscountBps),
  promotionBusinessTake: percentage(rates.promotionBusinessTakeBps),
});

import type * as contracts from '@cobro/contracts/routes/fee-channels.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { lockOrganization, organizationIsKnown } from '../organizations/organization.store.ts';
import { feeChanges } from './fee-changes.rules.ts';
import { listFeeChannels, removeFeeChannel, setFeeChannel } from './fee-channel.store.ts';
import { showFeeChannel } from './list-fee-channels.ts';

/** GET /platform/organization/{organizationId}/fee-channel */
export async function listFeesOf(
  { db }: Deps,
  { params: { organizationId } }: InputOf<typeof contracts.listFeesOf>,
): Promise<AnswerOf<typeof contracts.listFeesOf>> {
  if (!(await organizationIsKnown(db, organizationId))) throw new Refusal('NOT_FOUND');
  const rows = await listFeeChannels(db, organizationId);
  return ok({ items: rows.map(showFeeChannel) });
}

/** POST …: payments that are made from now on have these rates; earlier ones keep theirs. */
export async function setFeesOf(
  deps: Deps,
  { params: { organizationId }, readBody }: InputOf<typeof contracts.setFeesOf>,
): Promise<AnswerOf<typeof contracts.setFeesOf>> {
  const { items } = readBody();
  return changeFees(deps, organizationId, async (tx) => {
    for (const { type, network = null, fundingSource = null, terms, ...rates } of items) {
      await setFeeChannel(tx, organizationId, {
        type,
        network,
        fundingSource,
        terms,
        feeBps: rates.feePercentage,
        promotionFeeDiscountBps: rates.promotionFeeDiscount,
        promotionBusinessTakeBps: rates.promotionBusinessTake,
      });
    }
  });
}

/** POST …/remove: does nothing if the row is gone already. */
export async function removeFeeOf(
  deps: Deps,
  { params: { organizationId }, readBody }: InputOf<typeof contracts.removeFeeOf>,
): Promise<AnswerOf<typeof contracts.removeFeeOf>> {
  const { type, network = null, fundingSource = null, terms } = readBody();
  const channel = { type, network, fundingSource, terms };
  return changeFees(deps, organizationId, (tx) => removeFeeChannel(tx, organizationId, channel));
}

/** Returns the whole table after the change, and what changed. @throws Refusal 404 if payments does not know the organization */
async function changeFees({ db }: Deps, organizationId: string, change: (tx: Tx) => Promise<unknown>) {
  return db.inTransaction(async (tx) => {
    if (!(await lockOrganization(tx, organizationId))) throw new Refusal('NOT_FOUND');
    const table = async () => (await listFeeChannels(tx, organizationId)).map(showFeeChannel);
    const before = await table();
    await change(tx);
    const items = await table();
    return ok({ items, changed: feeChanges(before, items) });
  });
}

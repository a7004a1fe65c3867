import { pesosOf } from '@cobro/contracts/amount.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { reportBankSettlement as contract } from '@cobro/contracts/routes/settlements.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { listBankSettlement } from './bank-settlement.store.ts';

/** GET /report/bank-settlement */
export async function reportBankSettlement(
  { reads }: Deps,
  { caller: { organizationId }, query: { from, to } }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const lines = await reads.inTurn(organizationId, () => listBankSettlement(reads, organizationId, from, to));
  return ok({
    lines: lines.map(({ gross, fee, net, ...line }) => ({
      ...line,
      gross: pesosOf(gross),
      fee: fee === null ? null : pesosOf(fee),
      net: net === null ? null : pesosOf(net),
    })),
  });
}

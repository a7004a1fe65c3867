import { promotionStatus } from '@cobro/domain/promotions.ts';
import type { Database, Queries } from '@cobro/postgres/database.ts';
import { end } from './end-promotion.ts';
import type { PromotionRow } from './promotion.row.ts';
import { listPromotions } from './promotion.store.ts';

/** A promotion as operators are shown it. */
const shown = (row: PromotionRow, now: Date) => ({
  id: row.id,
  organizationId: row.organizationId,
  name: row.name,
  status: promotionStatus(row, now),
  maxPayments: row.maxPayments,
  paymentsCount: Number(row.paymentsCount),
  sponsor: row.partnerName,
  startsAt: row.startsAt,
  endsAt: row.endsAt,
});

const MOST = 10_000;

/** Lists the promotions of an organization, or of all, that have not ended; newest first, MOST at most. */
export async function listNotEnded(queries: Queries, organizationId: string | undefined, now: Date) {
  const owner = organizationId === undefined ? 'anybody' : { organizationId };
  const filters = { owner, statuses: ['PENDING', 'SCHEDULED', 'ACTIVE'], now } as const;
  const { rows } = await listPromotions(queries, filters, { offset: 0, limit: MOST });
  return rows.map((row) => shown(row, now));
}

/** Returns undefined if there is no such promotion. */
export async function endAsOperator(db: Database, id: string) {
  const ended = await end({ db, clock: { now: () => new Date() } }, 'anybody', id);
  return ended && shown(ended.row, ended.at);
}

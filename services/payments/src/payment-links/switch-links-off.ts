import { FIRST_KEY } from '@cobro/events/retelling.ts';
import { type Database, sql } from '@cobro/postgres/database.ts';

/** Payers and settlements of these links wait for one batch at most. */
const BATCH = 500;

/** Switches off the active links of one organization or of all, and counts them by organization. Claimed payments go on. */
export async function switchLinksOff(
  db: Database,
  organizationId: string | undefined,
  at: Date,
): Promise<{ organizationId: string; switchedOff: number }[]> {
  const counts = new Map<string, number>();
  let last = FIRST_KEY;
  for (let isLast = false; !isLast;) {
    const rows = await db.many<{ id: string; organizationId: string }>(sql`
      update payment_link set active = false, updated_at = ${at}, version = version + 1
      where id = any(array(
        select id from payment_link
        where active and id > ${last} and (${organizationId === undefined}::boolean or organization_id = ${organizationId ?? null}::uuid)
        order by id limit ${BATCH} for no key update))
      returning id, organization_id as "organizationId"`);
    for (const { organizationId: of } of rows) counts.set(of, (counts.get(of) ?? 0) + 1);
    for (const { id } of rows) if (id > last) last = id;
    isLast = rows.length < BATCH;
  }
  return [...counts].map(([of, switchedOff]) => ({ organizationId: of, switchedOff }));
}

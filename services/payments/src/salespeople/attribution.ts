import { dataOf } from '@cobro/contracts/events.ts';
import type { FieldValues } from '@cobro/contracts/payment-fields.ts';
import { salespersonAnswer } from '@cobro/contracts/intent-questions.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import type { Deps } from '../deps.ts';
import { onBranchChanged, onSalespersonChanged } from './on-staff-changed.ts';
import { findSalesperson, type SalespersonRow } from './salesperson.store.ts';

/**
 * Checks the salesperson that a new link names, before it is written; asks intents about one whom our copy lacks. @throws Refusal
 * 404, 409, and 503 if intents cannot be asked
 */
export async function requireSeller(
  deps: Pick<Deps, 'db' | 'intents'>,
  asked: { organizationId: string; salespersonId: string },
  deadline: number,
): Promise<void> {
  const { organizationId, salespersonId } = asked;
  const known = await findSalesperson(deps.db, organizationId, salespersonId);
  const salesperson = known ?? (await learn(deps, organizationId, salespersonId, deadline));
  if (salesperson === undefined) throw new Refusal('SALESPERSON_NOT_FOUND');
  if (salesperson.status !== 'ACTIVE') throw new Refusal('SALESPERSON_NOT_ACTIVE');
}

async function learn(
  { db, intents }: Pick<Deps, 'db' | 'intents'>,
  organizationId: string,
  id: string,
  deadline: number,
): Promise<SalespersonRow | undefined> {
  const answer = await intents.get(`/internal/salespeople/${id}?organizationId=${organizationId}`, deadline);
  const { events } = salespersonAnswer.parse(answer);
  if (events.length === 0) return undefined;
  await db.inTransaction(async (tx) => {
    for (const event of events) {
      if (event.type === 'BranchChanged') await onBranchChanged(tx, dataOf('BranchChanged', event), event);
      else await onSalespersonChanged(tx, dataOf('SalespersonChanged', event), event);
    }
  });
  return findSalesperson(db, organizationId, id);
}

/** What a payment keeps of its salesperson and branch. */
export type Attribution = Pick<
  FieldValues,
  'salespersonId' | 'salespersonName' | 'salespersonUsername' | 'branchId' | 'branchName'
>;

/**
 * The attribution of a new payment for a link that names this salesperson: under today's names, and whether or not the person is
 * still active.
 */
export async function attributionTo(
  queries: Queries,
  { organizationId, salespersonId }: { organizationId: string; salespersonId: string | null },
): Promise<Partial<Attribution>> {
  if (salespersonId === null) return {};
  const salesperson = await findSalesperson(queries, organizationId, salespersonId);
  const { name = null, username = null, branchId = null, branchName = null } = salesperson ?? {};
  return { salespersonId, salespersonName: name, salespersonUsername: username, branchId, branchName };
}

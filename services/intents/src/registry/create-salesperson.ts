import { newId } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { createSalesperson as contract } from '@cobro/contracts/routes/salespeople.ts';
import type { Deps } from '../deps.ts';
import { registerSalesperson } from './register-staff.ts';
import { digestOf, isSameRequest } from './request-digest.ts';
import { findSalespersonByUsername, type SalespersonRow } from './staff.store.ts';
import { requireBranch, showSalesperson } from './staff-answer.ts';

/** POST /salesperson: 201. The username is its idempotency key: the same request sent again makes nobody else. */
export async function createSalesperson(
  deps: Deps,
  { caller: { organizationId }, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { db, clock, handOver } = deps;
  const asked = readBody();
  const { name, username, businessStoreBranchId } = asked;
  const requestDigest = digestOf(asked);
  const earlier = await findSalespersonByUsername(db, organizationId, username);
  if (earlier !== undefined) return replay(deps, earlier, requestDigest);
  if (businessStoreBranchId !== undefined) await requireBranch(db, organizationId, businessStoreBranchId);
  const now = clock.now();
  const made = await registerSalesperson(db, {
    id: newId(now.getTime()),
    organizationId,
    name,
    username,
    branchId: businessStoreBranchId ?? null,
    requestDigest,
    createdAt: now,
  });
  if (made !== undefined) {
    await handOver([made.event]);
    return { status: 201, body: await showSalesperson(db, made.row) };
  }
  const winner = await findSalespersonByUsername(db, organizationId, username);
  if (winner === undefined) throw new Error('a conflict without a row');
  return replay(deps, winner, requestDigest);
}

async function replay({ db }: Deps, row: SalespersonRow, digest: Buffer): Promise<AnswerOf<typeof contract>> {
  if (!isSameRequest(row, digest)) throw new Refusal('USERNAME_TAKEN');
  return { status: 201, body: await showSalesperson(db, row), headers: { 'Idempotent-Replayed': 'true' } };
}

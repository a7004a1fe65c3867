import { newId } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { createBranch as contract } from '@cobro/contracts/routes/branches.ts';
import { refuseCardData } from '@cobro/contracts/text.ts';
import type { Deps } from '../deps.ts';
import { registerBranch } from './register-staff.ts';
import { digestOf, isSameRequest } from './request-digest.ts';
import { type BranchRow, findBranchByExternalId } from './staff.store.ts';
import { showBranch } from './staff-answer.ts';

/** POST /business-store-branch: 201. Repeating the same request under its externalId makes no other branch. */
export async function createBranch(
  { db, clock, handOver }: Deps,
  { caller: { organizationId }, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const asked = readBody();
  const { name, externalId } = asked;
  const requestDigest = digestOf(asked);
  const earlier = externalId && (await findBranchByExternalId(db, organizationId, externalId));
  if (earlier) return replay(earlier, requestDigest);
  refuseCardData(externalId);
  const now = clock.now();
  const made = await registerBranch(db, {
    id: newId(now.getTime()),
    organizationId,
    name,
    externalId: externalId ?? null,
    requestDigest,
    createdAt: now,
  });
  if (made !== undefined) {
    await handOver([made.event]);
    return { status: 201, body: showBranch(made.row) };
  }
  const winner = await findBranchByExternalId(db, organizationId, externalId ?? '');
  if (winner === undefined) throw new Error('a conflict without a row');
  return replay(winner, requestDigest);
}

function replay(row: BranchRow, digest: Buffer): AnswerOf<typeof contract> {
  if (!isSameRequest(row, digest)) throw new Refusal('EXTERNAL_ID_MISMATCH');
  return { status: 201, body: showBranch(row), headers: { 'Idempotent-Replayed': 'true' } };
}

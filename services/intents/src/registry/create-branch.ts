import { newId } from '@cobro/contracts/ids.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { createBranch as contract } from '@cobro/contracts/routes/branches.ts';
import { createOnce, digestOf } from '@cobro/service-kit/create-once.ts';
import type { Deps } from '../deps.ts';
import { registerBranch } from './register-staff.ts';
import { findBranchByExternalId } from './staff.store.ts';
import { showBranch } from './staff-answer.ts';

/** POST /business-store-branch: 201. Repeating the same request under its externalId makes no other branch. */
export async function createBranch(
  { db, clock, handOver }: Deps,
  { caller: { organizationId }, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const asked = readBody();
  const { name, externalId } = asked;
  const requestDigest = digestOf(asked);
  const createdAt = clock.now();
  return createOnce({
    key: externalId,
    find: (key) => findBranchByExternalId(db, organizationId, key),
    isSame: (row) => row.requestDigest?.equals(requestDigest) === true,
    insert: async () => {
      const made = { id: newId(createdAt.getTime()), organizationId, name, requestDigest, createdAt };
      const written = await registerBranch(db, { ...made, externalId: externalId ?? null });
      await handOver(written?.events ?? []);
      return written?.row;
    },
    show: showBranch,
  });
}

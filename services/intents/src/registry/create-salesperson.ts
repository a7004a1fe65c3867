import { newId } from '@cobro/contracts/ids.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { createSalesperson as contract } from '@cobro/contracts/routes/salespeople.ts';
import { createOnce, digestOf } from '@cobro/service-kit/create-once.ts';
import type { Deps } from '../deps.ts';
import { registerSalesperson } from './register-staff.ts';
import { findSalespersonByUsername } from './staff.store.ts';
import { requireBranch, showSalesperson } from './staff-answer.ts';

/** POST /salesperson: 201. The username is its idempotency key: the same request sent again makes nobody else. */
export async function createSalesperson(
  { db, clock, handOver }: Deps,
  { caller: { organizationId }, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const asked = readBody();
  const { name, username, businessStoreBranchId: branchId = null } = asked;
  const requestDigest = digestOf(asked);
  const createdAt = clock.now();
  return createOnce({
    key: username,
    find: () => findSalespersonByUsername(db, organizationId, username),
    isSame: (row) => row.requestDigest?.equals(requestDigest) === true,
    insert: async () => {
      if (branchId !== null) await requireBranch(db, organizationId, branchId);
      const made = { id: newId(createdAt.getTime()), organizationId, name, requestDigest, createdAt };
      const written = await registerSalesperson(db, { ...made, username, branchId });
      await handOver(written?.events ?? []);
      return written?.row;
    },
    show: showSalesperson,
    mismatch: 'USERNAME_TAKEN',
  });
}

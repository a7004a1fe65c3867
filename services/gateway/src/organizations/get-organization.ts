import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { getOrganization as contract } from '@cobro/contracts/routes/organizations.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { readProfile } from './organization-answer.ts';

/** GET /organization, and GET /developer/v1/organization. */
export async function getOrganization(
  { db }: Deps,
  { caller: { organizationId } }: Pick<InputOf<typeof contract>, 'caller'>,
): Promise<AnswerOf<typeof contract>> {
  return ok(await readProfile(db, organizationId));
}

import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type * as contracts from '@cobro/contracts/routes/organizations.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { readProfile } from './organization-answer.ts';

/** GET /organization */
export async function getOrganization(
  { db }: Deps,
  { caller }: InputOf<typeof contracts.getOrganization>,
): Promise<AnswerOf<typeof contracts.getOrganization>> {
  return ok(await readProfile(db, caller.organizationId));
}

/** GET /developer/v1/organization */
export async function readDeveloperOrganization(
  { db }: Deps,
  { caller }: InputOf<typeof contracts.readDeveloperOrganization>,
): Promise<AnswerOf<typeof contracts.readDeveloperOrganization>> {
  return ok(await readProfile(db, caller.organizationId));
}

import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type * as contracts from '@cobro/contracts/routes/organizations.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { readProfile } from './organization-answer.ts';

type Read = typeof contracts.getOrganization | typeof contracts.readDeveloperOrganization;

/** GET /organization, and GET /developer/v1/organization. */
export async function getOrganization(
  { db }: Deps,
  { caller: { organizationId } }: InputOf<Read>,
): Promise<AnswerOf<Read>> {
  return ok(await readProfile(db, organizationId));
}

import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { changeOrganization as contract } from '@cobro/contracts/routes/organizations.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { changeOrganization as change } from '../registry/organization-change.ts';
import { readProfile } from './organization-answer.ts';

/** PATCH /organization: changes what is sent, and hands it over to payments before it answers, so that checkouts show it at once. */
export async function changeOrganization(
  { db, handOver }: Deps,
  { caller: { organizationId: id }, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { name, business } = readBody();
  const { supportEmail, supportPhoneNumber } = business ?? {};
  const asked = { name, websiteUrl: business?.websiteURL, supportEmail, supportPhoneNumber };
  const changed = await change(db, { id, ...asked });
  if (changed === undefined) throw new Refusal('NOT_FOUND');
  await handOver(changed.events);
  return ok(await readProfile(db, id));
}

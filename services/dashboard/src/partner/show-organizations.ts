import { Refusal } from '@cobro/contracts/refusals.ts';
import { organizationsPage } from '@cobro/dashboard/partner/organizations-page.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field } from '../http/visit.ts';
import { listOrganizationsOf } from '../people/organization.store.ts';

const PAGE = 100;

/** GET /partner/organizations: ordered by name. */
export async function showPartnersOrganizations(deps: Deps, visit: SignedIn): Promise<Answer> {
  const offset = Number(field(visit.query, 'offset') || '0');
  if (!Number.isSafeInteger(offset) || offset < 0) throw new Refusal('NOT_FOUND');
  const rows = await listOrganizationsOf(deps.db, visit.scope.id ?? '', offset, PAGE + 1);
  const view = { organizations: rows.slice(0, PAGE), offset, hasMore: rows.length > PAGE };
  return show(deps, visit, (frame) => organizationsPage(frame, view));
}

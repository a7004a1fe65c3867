import { auditPage } from '@cobro/dashboard/settings/audit.ts';
import { uuid } from '@cobro/contracts/ids.ts';
import { validate } from '@cobro/contracts/validation.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { listMembers } from '../people/membership.store.ts';
import { filtersIn } from './audit-filters.ts';
import { readAudit } from './read-audit.ts';

const PAGE = 50;

/** GET /settings/audit */
export async function showAudit(deps: Deps, { query, ...visit }: SignedIn): Promise<Answer> {
  const filters = filtersIn(query);
  const before = query.get('before');
  const [rows, members] = await Promise.all([
    readAudit(deps, {
      ...filters,
      scope: visit.scope,
      before: before === null ? undefined : validate(uuid, before),
      most: PAGE,
    }),
    listMembers(deps.db, visit.scope),
  ]);
  const asked = new URLSearchParams();
  const { what, personId: who, from, to } = filters;
  for (const [name, value] of Object.entries({ what, who, from, to })) if (value !== undefined) asked.set(name, value);
  const last = rows.length === PAGE ? rows.at(-1) : undefined;
  const older =
    last === undefined ? null : `/settings/audit?${new URLSearchParams([...asked, ['before', last.id]]).toString()}`;
  const people = members.map(({ personId, name }) => ({ personId, name }));
  const view = { rows, older, people, filters, csv: `/settings/audit.csv?${asked.toString()}` };
  return show(deps, { ...visit, query }, (frame) => auditPage(frame, view));
}

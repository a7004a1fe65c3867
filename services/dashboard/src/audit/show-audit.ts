import { auditPage } from '@cobro/dashboard/settings/audit.ts';
import { uuid } from '@cobro/contracts/ids.ts';
import { validate } from '@cobro/contracts/validation.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { listAudit } from './audit.store.ts';

const PAGE = 50;

/** GET /settings/audit */
export async function showAudit(deps: Deps, visit: SignedIn): Promise<Answer> {
  const before = visit.query.get('before');
  const what = visit.query.get('what');
  const rows = await listAudit(deps.db, {
    scope: visit.scope,
    before: before === null ? undefined : validate(uuid, before),
    what: what === null || what === '' ? undefined : what.slice(0, 100),
    most: PAGE,
  });
  const last = rows.length === PAGE ? rows.at(-1) : undefined;
  const asked = new URLSearchParams({ ...(what && { what }), before: last?.id ?? '' });
  const older = last === undefined ? null : `/settings/audit?${asked.toString()}`;
  return show(deps, visit, (frame) => auditPage(frame, { rows, older }));
}

import { partnersPage } from '@cobro/dashboard/platform/partners.ts';
import { platformWords, type PlatformWords } from '@cobro/dashboard/platform/words.ts';
import { uuid } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Deps } from '../deps.ts';
import { idIn } from '../http/reading.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { inviteFirst } from './invite-first-owner.ts';
import { isPartner, listPartners } from './partner.store.ts';

const PAGE = 50;

/** GET /platform/partners */
export const showPartners = (deps: Deps, visit: SignedIn): Promise<Answer> => draw(deps, visit);

/** POST /platform/partners/:id/invite */
export async function inviteFirstOwnerOfPartner(deps: Deps, visit: SignedIn): Promise<Answer> {
  const id = idIn(visit);
  if (!(await isPartner(deps.db, id))) throw new Refusal('NOT_FOUND');
  return inviteFirst(deps, visit, { kind: 'partner', id }, (problem, status) => draw(deps, visit, problem, status));
}

async function draw(
  deps: Deps,
  visit: SignedIn,
  problem?: keyof PlatformWords['problems'],
  status = 200,
): Promise<Answer> {
  const after = uuid.safeParse(visit.query.get('after')).data ?? null;
  const rows = await listPartners(deps.db, after, PAGE + 1);
  const shown = rows.slice(0, PAGE);
  const next = rows.length > PAGE ? `/platform/partners?after=${shown.at(-1)?.id}` : null;
  const said = problem && platformWords[visit.language].problems[problem];
  const isDone = visit.query.get('done') === 'created';
  return show(deps, visit, (frame) => partnersPage(frame, { rows: shown, next, problem: said, status, isDone }));
}

import * as contracts from '@cobro/contracts/routes/api-keys.ts';
import { keysPage, type KeysView } from '@cobro/dashboard/developers/keys-page.ts';
import type { Deps } from '../deps.ts';
import { pageIn } from '../http/page-of-list.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { namesOf } from '../people/person.store.ts';
import { READING } from '../http/reading.ts';

const PAGE = 50;
const KEYS = '/developers/keys';

/** GET /developers: redirects to the first of its pages that this person may see. */
export async function goToDevelopers(_deps: Deps, { role }: SignedIn): Promise<Answer> {
  return redirect(role === 'owner' ? KEYS : '/developers/events');
}

/** GET /developers/keys */
export async function showKeys(deps: Deps, visit: SignedIn): Promise<Answer> {
  const page = pageIn(visit.query);
  const query = { page: String(page), pageSize: String(PAGE) };
  const result = await visit.api.ofPeople(contracts.listApiKeys, { query }, READING.withinMs);
  const done = (['revoke', 'delete'] as const).find((action) => action === visit.query.get('done')) ?? null;
  if (result.kind !== 'done') {
    return draw(deps, visit, { found: { kind: 'unavailable' }, names: {}, done: null });
  }
  const { items: rows, count } = result.value;
  const names = await namesOf(
    deps.db,
    rows.flatMap(({ createdBy }) => createdBy ?? []),
  );
  const next = page * PAGE < count ? `${KEYS}?page=${page + 1}` : null;
  return draw(deps, visit, { found: { kind: 'rows', rows, next, first: page > 1 ? KEYS : null }, names, done });
}

const draw = (deps: Deps, visit: SignedIn, view: KeysView) => show(deps, visit, (frame) => keysPage(frame, view));

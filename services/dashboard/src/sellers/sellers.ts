import type { SellersView } from '@cobro/dashboard/sellers/sellers-page.ts';
import { sellersPage } from '@cobro/dashboard/sellers/sellers-page.ts';
import type { Deps } from '../deps.ts';
import { newFormId } from '../http/form-id.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { inTime, READING } from '../http/reading.ts';

const SHOWN = { page: '1', pageSize: '200' } as never;

/** The first page of both lists; null if one did not come in time. */
export async function readStaff({ api }: SignedIn): Promise<Pick<SellersView, 'people' | 'branches'>> {
  const [people, branches] = await Promise.all([
    inTime(api.salespeople.list(SHOWN, READING)),
    inTime(api.branches.list(SHOWN, READING)),
  ]);
  return {
    people: people && { rows: people.items, more: people.count - people.items.length },
    branches: branches && { rows: branches.items, more: branches.count - branches.items.length },
  };
}

/** The page, with what was typed and refused. */
export async function sellersWith(
  deps: Deps,
  visit: SignedIn,
  refused: Partial<Pick<SellersView, 'typed' | 'problem' | 'formId'>> = {},
): Promise<Answer> {
  const said = visit.query.get('done');
  const done = said === 'created' || said === 'changed' ? said : null;
  const view: SellersView = {
    ...(await readStaff(visit)),
    formId: newFormId(deps.clock.now()),
    typed: {},
    problem: null,
    done,
    ...refused,
  };
  // A refused form may have been sent to an address without a page.
  return show(deps, { ...visit, address: '/sellers' }, (frame) => sellersPage(frame, view));
}

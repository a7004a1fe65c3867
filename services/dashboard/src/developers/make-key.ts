import { randomUUID } from 'node:crypto';
import { NAME_MOST } from '@cobro/contracts/api-keys.ts';
import { holdsCardData } from '@cobro/contracts/card-data.ts';
import * as contracts from '@cobro/contracts/routes/api-keys.ts';
import {
  createKeyPage,
  type CreateView,
  keyMadePage,
  type KeyMadeView,
} from '@cobro/dashboard/developers/key-forms.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { problemOf } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field } from '../http/visit.ts';

/** GET /developers/keys/new: each form gets its own externalId. */
export const showMakeKey = async (deps: Deps, visit: SignedIn): Promise<Answer> =>
  draw(deps, visit, { externalId: randomUUID(), name: '', problem: null });

/** POST /developers/keys: shows the key this once. */
export async function makeKey(deps: Deps, visit: SignedIn): Promise<Answer> {
  const [name, externalId] = [field(visit.form, 'name'), field(visit.form, 'externalId')];
  if (name === '' || [...name].length > NAME_MOST || holdsCardData(name)) {
    const kept = holdsCardData(name) ? '' : name;
    return draw(deps, visit, { externalId, name: kept, problem: { kind: 'wrong-name' } });
  }
  const result = await audited(deps, visit, {
    what: 'api-key.create',
    target: null,
    send: () => visit.api.ofPeople(contracts.createApiKey, { body: { name, externalId } }),
  });
  if (result.kind === 'done') return showMade(deps, visit, result.value, null);
  return draw(deps, visit, { externalId, name, problem: problemOf(visit, result) });
}

const draw = (deps: Deps, visit: SignedIn, view: CreateView): Answer =>
  show(deps, visit, (frame) => createKeyPage(frame, view));

/** Nothing keeps this page: the form sent again shows the key for two minutes, and is refused later. */
export const showMade = (deps: Deps, visit: SignedIn, made: KeyMadeView['made'], old: KeyMadeView['old']): Answer =>
  show(deps, visit, (frame) =>
    keyMadePage(frame, { made, old, apiBaseUrl: deps.apiBaseUrl, isPartner: visit.scope.kind === 'partner' }),
  );

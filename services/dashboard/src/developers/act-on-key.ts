import { randomUUID } from 'node:crypto';
import type { Result } from '@cobro/client/refusal.ts';
import type { ApiKey } from '@cobro/contracts/api-keys.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import * as contracts from '@cobro/contracts/routes/api-keys.ts';
import { keyActionPage, type KeyActionView } from '@cobro/dashboard/developers/key-forms.ts';
import { type KeyAction, keyActions } from '@cobro/dashboard/developers/keys-page.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { problemOf } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { idIn, orNotFound, READING } from '../http/reading.ts';
import { showMade } from './make-key.ts';

/** The most keys that one page may have. */
const PAGE_SIZE = '500';

interface Found {
  key: ApiKey;
  isOnlyActive: boolean;
}

/** GET /developers/keys/{id}/{action} */
export async function showKeyAction(deps: Deps, visit: SignedIn): Promise<Answer> {
  const action = actionIn(visit);
  return draw(deps, visit, { action, ...(await findKey(visit)), externalId: randomUUID(), problem: null });
}

/** POST /developers/keys/{id}/{action} */
export async function actOnKey(deps: Deps, visit: SignedIn): Promise<Answer> {
  const action = actionIn(visit);
  const found = await findKey(visit);
  if (action === 'roll') return rollKey(deps, visit, found);
  const params = { id: found.key.id };
  const result = await audited<unknown>(deps, visit, {
    what: `api-key.${action}`,
    target: found.key.id,
    send: () =>
      action === 'revoke'
        ? visit.api.ofPeople(contracts.revokeApiKey, { params })
        : visit.api.ofPeople(contracts.deleteApiKey, { params }),
  });
  if (result.kind === 'done') return redirect(`/developers/keys?done=${action}`);
  return refused(deps, visit, action, found, result);
}

async function rollKey(deps: Deps, visit: SignedIn, found: Found): Promise<Answer> {
  const { key } = found;
  const seconds = field(visit.form, 'oldKeyLivesForSeconds');
  const body = {
    // The gateway refuses what is no number.
    oldKeyLivesForSeconds: /^\d{1,9}$/.test(seconds) ? Number(seconds) : seconds,
    externalId: field(visit.form, 'externalId'),
  };
  const result = await audited(deps, visit, {
    what: 'api-key.roll',
    target: key.id,
    send: () => visit.api.ofPeople(contracts.rollApiKey, { params: { id: key.id }, body }),
  });
  if (result.kind !== 'done') return refused(deps, visit, 'roll', found, result);
  const isOver = body.oldKeyLivesForSeconds === 0;
  const endsAt = isOver ? null : new Date(Date.parse(result.value.createdAt) + Number(seconds) * 1_000).toISOString();
  return showMade(deps, visit, result.value, { lastFour: key.lastFour, endsAt });
}

function actionIn({ params }: SignedIn): KeyAction {
  const action = keyActions.find((one) => one === params['action']);
  if (action === undefined) throw new Refusal('NOT_FOUND');
  return action;
}

/** @throws Refusal 404 if it is another's, 503 if keys cannot be read now */
async function findKey(visit: SignedIn): Promise<Found> {
  const id = idIn(visit);
  const keys: ApiKey[] = [];
  for (let page = 1, more = true; more; page++) {
    const query = { page: String(page), pageSize: PAGE_SIZE };
    const { items, count } = await orNotFound(visit.api.ofPeople(contracts.listApiKeys, { query }, READING.withinMs));
    keys.push(...items);
    more = items.length > 0 && keys.length < count;
  }
  const key = keys.find((one) => one.id === id);
  if (key === undefined) throw new Refusal('NOT_FOUND');
  const others = keys.filter((one) => one.id !== id && one.status === 'ACTIVE');
  return { key, isOnlyActive: key.status === 'ACTIVE' && others.length === 0 };
}

const refused = (
  deps: Deps,
  visit: SignedIn,
  action: KeyAction,
  found: Found,
  result: Exclude<Result<unknown>, { kind: 'done' }>,
) =>
  draw(deps, visit, {
    action,
    ...found,
    externalId: field(visit.form, 'externalId') || randomUUID(),
    problem: problemOf(visit, result),
  });

const draw = (deps: Deps, visit: SignedIn, view: KeyActionView): Answer =>
  show(deps, visit, (frame) => keyActionPage(frame, view));

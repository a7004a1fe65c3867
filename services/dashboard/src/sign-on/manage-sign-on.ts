import { signOnPage } from '@cobro/dashboard/settings/sign-on.ts';
import { signOnWords, type SignOnWords } from '@cobro/dashboard/settings/sign-on-words.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { requiredAnyText, requiredText } from '@cobro/contracts/text.ts';
import { seal } from '@cobro/service-kit/seal.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { byMember } from '../audit/who.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { lockAsLeader } from '../people/lock-as-leader.ts';
import { redirectUri, secretContext } from './issuer.ts';
import { deleteIdentities, deleteSignOn, endSessionsBy, putSignOn, require, signOnOf } from './sign-on.store.ts';

type Problem = keyof SignOnWords['problems'];

/** GET /settings/sign-on */
export const showSignOn = (deps: Deps, visit: SignedIn): Promise<Answer> => pageWith(deps, visit);

/** POST /settings/sign-on. Ends sessions of the former facts; another issuer also deletes all linked subjects. */
export async function enterSignOn(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { scope, form } = visit;
  const issuer = await issuerIn(deps, field(form, 'issuer'));
  if (issuer === undefined) return pageWith(deps, visit, 'issuer', 400);
  const clientId = requiredText(500).safeParse(field(form, 'clientId'));
  const secret = requiredAnyText(500).safeParse(field(form, 'secret'));
  if (!clientId.success || !secret.success) return pageWith(deps, visit, 'client', 400);
  await deps.db.inTransaction(async (tx) => {
    await lockAsLeader(tx, visit);
    const before = await signOnOf(tx, scope);
    const id = before?.id ?? newId();
    const sealedSecret = seal(deps.secretKeys, secretContext(id), new Secret(secret.data));
    await putSignOn(tx, { id, issuer, clientId: clientId.data, sealedSecret }, scope);
    // Only now, because `putSignOn` has waited for sign-ins and links by the former facts, and no more can begin.
    if (before !== undefined) endSessionsBy(tx, id, new Date());
    if (before !== undefined && before.issuer !== issuer) deleteIdentities(tx, id);
    await recordAudit(tx, { ...byMember(visit), what: 'sign-on.enter', target: issuer, outcome: 'done' });
  });
  return redirect('/settings/sign-on');
}

/** POST /settings/sign-on/require; `off` undoes it. The owner who requires it can still sign in without it. */
export async function requireSignOn(deps: Deps, visit: SignedIn): Promise<Answer> {
  const isOff = visit.form.has('off');
  // Otherwise an issuer that fails would shut out everybody.
  if (!isOff && visit.session.signOnId !== null) return pageWith(deps, visit, 'byPassword', 409);
  const isDone = await deps.db.inTransaction(async (tx) => {
    await lockAsLeader(tx, visit);
    if ((await require(tx, visit.scope, isOff ? null : visit.session.membershipId)) === 0) return false;
    const what = isOff ? 'sign-on.require-no-more' : 'sign-on.require';
    await recordAudit(tx, { ...byMember(visit), what, outcome: 'done' });
    return true;
  });
  return isDone ? redirect('/settings/sign-on') : pageWith(deps, visit, 'untested', 409);
}

/** POST /settings/sign-on/remove */
export async function removeSignOn({ db }: Deps, visit: SignedIn): Promise<Answer> {
  await db.inTransaction(async (tx) => {
    await lockAsLeader(tx, visit);
    if ((await deleteSignOn(tx, visit.scope)) === 0) return;
    await recordAudit(tx, { ...byMember(visit), what: 'sign-on.remove', outcome: 'done' });
  });
  return redirect('/settings/sign-on');
}

/** The address as typed, to be compared with the issuer's metadata; undefined if nothing may be sent there. */
async function issuerIn({ outbound }: Deps, typed: string): Promise<string | undefined> {
  if (!requiredText(200).safeParse(typed).success || !URL.canParse(typed)) return undefined;
  const url = new URL(typed);
  if (url.search !== '' || url.hash !== '') return undefined;
  return (await outbound.refusalOf(url)) === undefined ? typed : undefined;
}

async function pageWith(deps: Deps, visit: SignedIn, problem?: Problem, status = 200): Promise<Answer> {
  const found = await signOnOf(deps.db, visit.scope);
  const view = {
    signOn:
      found === undefined
        ? null
        : {
            ...found,
            address: `${deps.baseUrl}/sign-in/oidc/${found.id}`,
            callback: redirectUri(deps, found.id),
          },
    isTestedNow: visit.query.has('tested'),
    problem: problem && signOnWords[visit.language].problems[problem],
    status,
  };
  return show(deps, visit, (frame) => signOnPage(frame, view));
}

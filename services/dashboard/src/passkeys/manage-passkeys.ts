import { newPasskeyPage } from '@cobro/dashboard/settings/passkeys.ts';
import { settingsWords } from '@cobro/dashboard/settings/words.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { text } from '@cobro/contracts/text.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { byMember } from '../audit/who.ts';
import type { Deps } from '../deps.ts';
import { idIn } from '../http/reading.ts';
import { type SignedIn, toSignIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { lockPerson } from '../people/person.store.ts';
import { goesOn } from '../sessions/session.store.ts';
import { newChallenge } from './challenge.ts';
import { readAnswer, type Registration, verifyRegistration } from './passkey-answer.ts';
import { deletePasskey, insertPasskey, listPasskeys, spendChallenge } from './passkey.store.ts';

const MOST_PASSKEYS = 20;
const passkeyName = text(60);
/** ES256, EdDSA and RS256: what devices have. */
const ALGORITHMS = [-7, -8, -257];

/** GET /settings/passkeys/new */
export const showNewPasskey = (deps: Deps, visit: SignedIn): Promise<Answer> => pageWith(deps, visit);

/** POST /settings/passkeys */
export async function registerPasskey(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { person, form } = visit;
  const { problems, passkey: unnamed } = settingsWords[visit.language];
  const name = passkeyName.safeParse(field(form, 'name'));
  if (!name.success) return pageWith(deps, visit, problems.passkeyName);
  const response = readAnswer(form.get('answer') ?? '') as Registration | undefined;
  const made = response && (await verifyRegistration(deps, visit, response));
  if (made === undefined) return pageWith(deps, visit, problems.passkey);
  const { challengeHash, ...key } = made;
  const outcome = await deps.db.inTransaction(async (tx): Promise<'kept' | 'refused' | 'ended'> => {
    const [id, now] = [newId(), new Date()];
    await lockPerson(tx, person.id);
    if (!(await spendChallenge(tx, challengeHash, now))) return 'refused';
    // If all sessions were ended meanwhile, this one may not add a way in.
    if (!(await goesOn(tx, visit.session.id))) return 'ended';
    if ((await listPasskeys(tx, person.id)).length >= MOST_PASSKEYS) return 'refused';
    const passkey = { ...key, id, personId: person.id, name: name.data || unnamed, createdAt: now };
    if ((await insertPasskey(tx, passkey)) === 0) return 'refused';
    await recordAudit(tx, { ...byMember(visit), what: 'passkey.register', target: id, outcome: 'done' });
    return 'kept';
  });
  if (outcome === 'ended') return toSignIn(visit);
  return outcome === 'kept' ? redirect('/settings') : pageWith(deps, visit, problems.passkey);
}

/** POST /settings/passkeys/:id/remove */
export async function removePasskey({ db }: Deps, visit: SignedIn): Promise<Answer> {
  const id = idIn(visit);
  await db.inTransaction(async (tx) => {
    if ((await deletePasskey(tx, visit.person.id, id)) === 0) throw new Refusal('NOT_FOUND');
    await recordAudit(tx, { ...byMember(visit), what: 'passkey.remove', target: id, outcome: 'done' });
  });
  return redirect('/settings');
}

async function pageWith(deps: Deps, visit: SignedIn, problem?: string): Promise<Answer> {
  const { id, email, name } = visit.person;
  const known = await listPasskeys(deps.db, id);
  const options = {
    rp: { id: new URL(deps.baseUrl).hostname, name: 'Cobro' },
    user: { id: Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url'), name: email, displayName: name },
    challenge: newChallenge(deps, visit, 'register'),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: 300_000,
    excludeCredentials: known.map(({ credentialId }) => ({
      type: 'public-key' as const,
      id: credentialId.toString('base64url'),
    })),
    authenticatorSelection: { residentKey: 'required' as const, userVerification: 'required' as const },
    attestation: 'none' as const,
  };
  const status = problem === undefined ? 200 : 400;
  return show(deps, visit, (frame) => newPasskeyPage(frame, { options, problem, status }));
}

import { devicesPage } from '@cobro/dashboard/settings/devices.ts';
import { recoveryPage } from '@cobro/dashboard/account/second-factor.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { byMember } from '../audit/who.ts';
import type { Deps } from '../deps.ts';
import { idIn } from '../http/reading.ts';
import { type SignedIn, toSignIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { listPasskeys } from '../passkeys/passkey.store.ts';
import { lockPerson } from '../people/person.store.ts';
import { countRecoveryCodes, replaceRecoveryCodes } from '../sign-in/factor.store.ts';
import { hashOfCode, newRecoveryCodes } from '../sign-in/recovery-codes.ts';
import { endSessionOf, goesOn, listSessions } from './session.store.ts';

/** GET /settings */
export async function showDevices(deps: Deps, visit: SignedIn): Promise<Answer> {
  const [sessions, codesLeft, passkeys] = await Promise.all([
    listSessions(deps.db, visit.person.id, new Date(), visit.session.signOnId),
    countRecoveryCodes(deps.db, visit.person.id),
    listPasskeys(deps.db, visit.person.id),
  ]);
  const devices = sessions.map((session) => ({ ...session, isHere: session.id === visit.session.id }));
  return show(deps, visit, (frame) =>
    devicesPage(frame, { devices, codesLeft, passkeys, isOwnAccount: visit.session.signOnId === null }),
  );
}

/** POST /settings/devices/:id/end */
export async function endDevice({ db }: Deps, visit: SignedIn): Promise<Answer> {
  const id = idIn(visit);
  await db.inTransaction(async (tx) => {
    await lockPerson(tx, visit.person.id);
    if ((await endSessionOf(tx, visit.person.id, id, new Date())) === 0) throw new Refusal('NOT_FOUND');
    await recordAudit(tx, { ...byMember(visit), what: 'session.end', target: id, outcome: 'done' });
  });
  return redirect('/settings');
}

/** POST /settings/recovery-codes: makes new ones; the old ones are void. */
export async function renewRecoveryCodes(deps: Deps, visit: SignedIn): Promise<Answer> {
  const codes = newRecoveryCodes();
  const isKept = await deps.db.inTransaction(async (tx) => {
    await lockPerson(tx, visit.person.id);
    // If all sessions were ended meanwhile, this one may not make codes.
    if (!(await goesOn(tx, visit.session.id))) return false;
    await replaceRecoveryCodes(tx, visit.person.id, codes.map(hashOfCode));
    await recordAudit(tx, { ...byMember(visit), what: 'recovery-codes.renew', outcome: 'done' });
    return true;
  });
  if (!isKept) return toSignIn(visit);
  return show(deps, visit, (frame) => recoveryPage(frame, codes, '/settings'));
}

import type { PlatformWords } from '@cobro/dashboard/platform/words.ts';
import { linkPage } from '@cobro/dashboard/settings/people.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { byMember } from '../audit/who.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field } from '../http/visit.ts';
import { insertInvitation, withdrawInvitations } from '../people/invitation.store.ts';
import { newLink } from '../people/link.ts';
import { countOf, lockMembers } from '../people/membership.store.ts';
import { emailAddress } from '../people/person.row.ts';

interface Place {
  kind: 'organization' | 'partner';
  id: string;
}

/** Invites the first owner of an existing place; owners invite later ones. `refuse` draws the page with the problem. */
export async function inviteFirst(
  deps: Deps,
  visit: SignedIn,
  scope: Place,
  refuse: (problem: keyof PlatformWords['problems'], status: number) => Promise<Answer>,
): Promise<Answer> {
  const email = emailAddress.safeParse(field(visit.form, 'email'));
  if (!email.success) return refuse('email', 400);
  const now = new Date();
  const wanted = { purpose: 'join', email: email.data, scope: scope.kind, scopeId: scope.id, role: 'owner' } as const;
  const { row, path } = newLink({ ...wanted, madeBy: visit.person.id }, now);
  const isMade = await deps.db.inTransaction(async (tx) => {
    lockMembers(tx, scope);
    if ((await countOf(tx, scope, 'owner')) > 0) return false;
    await withdrawInvitations(tx, scope, { email: email.data, madeBy: visit.person.id }, now);
    await insertInvitation(tx, row);
    await recordAudit(tx, { ...byMember(visit), what: 'people.invite.owner', target: row.id, outcome: 'done' });
    await recordAudit(tx, { ...byMember(visit), scope, what: 'people.invite.owner', target: row.id, outcome: 'done' });
    return true;
  });
  if (!isMade) return refuse('hasOwner', 409);
  return show(deps, visit, (frame) => linkPage(frame, { email: email.data, link: `${deps.baseUrl}${path}` }));
}

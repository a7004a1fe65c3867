import { newId } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { byMember } from '../audit/who.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { lockAsLeader } from '../people/lock-as-leader.ts';
import { endLoans, insertLoan } from './loan.store.ts';

const HOUR_MS = 3_600_000;
const MOST_HOURS = 24;

/** POST /settings/lend: the platform may look at this organization for some hours, and change nothing. */
export async function lend({ db }: Deps, visit: SignedIn): Promise<Answer> {
  const hours = Number(visit.form.get('hours'));
  if (!Number.isInteger(hours) || hours < 1 || hours > MOST_HOURS) throw new Refusal('VALIDATION_ERROR');
  await db.inTransaction(async (tx) => {
    await lockAsLeader(tx, visit);
    const [id, now] = [newId(), new Date()];
    const until = new Date(now.getTime() + hours * HOUR_MS);
    await endLoans(tx, organizationOf(visit), now);
    await insertLoan(tx, { id, organizationId: organizationOf(visit), lentBy: visit.person.id, lentAt: now, until });
    await recordAudit(tx, { ...byMember(visit), what: 'people.lend', target: until.toISOString(), outcome: 'done' });
  });
  return redirect('/settings/people');
}

/** POST /settings/lend/end */
export async function endLending({ db }: Deps, visit: SignedIn): Promise<Answer> {
  await db.inTransaction(async (tx) => {
    await lockAsLeader(tx, visit);
    if ((await endLoans(tx, organizationOf(visit), new Date())) === 0) return;
    await recordAudit(tx, { ...byMember(visit), what: 'people.lend-no-more', outcome: 'done' });
  });
  return redirect('/settings/people');
}

const organizationOf = ({ scope }: SignedIn): string => scope.id ?? '';

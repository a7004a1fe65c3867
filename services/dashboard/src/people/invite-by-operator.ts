import type { Database } from '@cobro/postgres/database.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { insertInvitation, withdrawResets } from './invitation.store.ts';
import { newLink } from './link.ts';
import { findOrganizationName } from './organization.store.ts';
import { findPersonByEmail } from './person.store.ts';
import { isRoleOf, rolesOf, type Scope } from './roles.rules.ts';

/** A link for the operator to pass on. It is shown once. */
export interface MadeLink {
  email: string;
  /** Only the path if the dashboard's address is not set. */
  link: string;
  expiresAt: string;
}

interface Invited {
  email: string;
  role: string;
  scope: Scope;
}

/** @throws OperatorError if the scope has no such role, or no such organization is known */
export async function inviteByOperator(
  db: Database,
  { email, role, scope }: Invited,
  baseUrl: string,
): Promise<MadeLink> {
  if (!isRoleOf(scope.kind, role)) {
    throw new OperatorError(`The role of somebody in a ${scope.kind} is ${rolesOf[scope.kind].join(' or ')}.`);
  }
  if (scope.kind === 'organization' && (await findOrganizationName(db, scope.id ?? '')) === undefined) {
    throw new OperatorError(
      `The dashboard knows no organization ${scope.id}. A new one is known once its event has come.`,
    );
  }
  const { row, path } = newLink(
    { purpose: 'join', email, scope: scope.kind, scopeId: scope.id, role, madeBy: null },
    new Date(),
  );
  await db.inTransaction(async (tx) => {
    await insertInvitation(tx, row);
    await recordAudit(tx, { personId: null, scope, what: 'people.invite', target: row.id, outcome: 'done' });
  });
  return { email, link: `${baseUrl}${path}`, expiresAt: row.expiresAt.toISOString() };
}

/** A link for a new password, and with `factor` for a new second factor too. @throws OperatorError if nobody has this e-mail */
export async function resetByOperator(
  db: Database,
  { email, factor }: { email: string; factor: boolean },
  baseUrl: string,
): Promise<MadeLink> {
  const person = await findPersonByEmail(db, email);
  if (person === undefined) throw new OperatorError('Nobody has this e-mail.');
  const now = new Date();
  const { row, path } = newLink({ purpose: 'reset', email, resetsFactor: factor, madeBy: null }, now);
  await db.inTransaction(async (tx) => {
    await withdrawResets(tx, email, now);
    await insertInvitation(tx, row);
    await recordAudit(tx, { personId: null, scope: null, what: 'people.reset', target: person.id, outcome: 'done' });
  });
  return { email, link: `${baseUrl}${path}`, expiresAt: row.expiresAt.toISOString() };
}

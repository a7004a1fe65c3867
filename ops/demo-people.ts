import { newId } from '@cobro/contracts/ids.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { secretKeys } from '@cobro/service-kit/config.ts';
import { seal } from '@cobro/service-kit/seal.ts';
import { insertInvitation } from '../services/dashboard/src/people/invitation.store.ts';
import { newLink } from '../services/dashboard/src/people/link.ts';
import { insertMembership } from '../services/dashboard/src/people/membership.store.ts';
import { insertPerson } from '../services/dashboard/src/people/person.store.ts';
import { type Role, type Scope } from '../services/dashboard/src/people/roles.rules.ts';
import { confirmFactor, insertFactor } from '../services/dashboard/src/sign-in/factor.store.ts';
import { hashPassword } from '../services/dashboard/src/sign-in/password.ts';
import { newTotpSecret } from '../services/dashboard/src/sign-in/totp.ts';

export interface DemoPerson {
  email: string;
  password: string;
  /** For programs, which make codes from it. */
  totpSecret: string;
  role: Role;
  scope: Scope;
}

/** Known to everybody who reads this: for demo and test alone. */
const PASSWORD = 'nopales con queso fresco';

/**
 * Makes one person per role in a stack of test keys, and a link that signs the first owner in once.
 * @param organizationId the organization of these people; those of a partner belong to its partner
 */
export async function makeDemoPeople(
  databaseUrl: string,
  dashboardKey: string,
  organizationId: string,
): Promise<{ people: DemoPerson[]; signInPath: string }> {
  const keys = secretKeys.parse(dashboardKey);
  const db = openPatiently({ url: databaseUrl, schema: 'dashboard', max: 1 });
  const { partnerId } = await db.one<{ partnerId: string }>(sql`
    select partner_id as "partnerId" from gateway.organizations where id = ${organizationId}`);
  const organization = { kind: 'organization', id: organizationId } as const;
  const partner = { kind: 'partner', id: partnerId } as const;
  const wanted: [name: string, email: string, scope: Scope, role: Role][] = [
    ['Olivia Dueñas', 'owner@example.com', organization, 'owner'],
    ['Óscar Pérez', 'operator@example.com', organization, 'operator'],
    ['Rita Lara', 'read-only@example.com', organization, 'read-only'],
    ['Pablo Ventas', 'partner-owner@example.com', partner, 'owner'],
    ['Valeria Vista', 'partner-viewer@example.com', partner, 'viewer'],
    ['Ada Raíz', 'admin@example.com', { kind: 'platform', id: null }, 'admin'],
  ];
  try {
    const people: DemoPerson[] = [];
    for (const [name, email, scope, role] of wanted) {
      const totpSecret = newTotpSecret();
      const passwordHash = await hashPassword(email, PASSWORD);
      await insert(db, { name, email, scope, role, passwordHash, totpSecret }, keys);
      people.push({ email, password: PASSWORD, totpSecret: totpSecret.reveal(), role, scope });
    }
    const { row, path } = newLink({ purpose: 'sign-in', email: 'owner@example.com', madeBy: null }, new Date());
    await insertInvitation(db, row);
    return { people, signInPath: path };
  } finally {
    await db.close();
  }
}

interface Made {
  name: string;
  email: string;
  scope: Scope;
  role: Role;
  passwordHash: string;
  totpSecret: Secret<string>;
}

const insert = (
  db: Database,
  { name, email, scope, role, passwordHash, totpSecret }: Made,
  keys: Parameters<typeof seal>[0],
) =>
  db.inTransaction(async (tx) => {
    const [id, factorId, createdAt] = [newId(), newId(), new Date()];
    await insertPerson(tx, { id, email, name, passwordHash, language: 'es', createdAt });
    await insertMembership(tx, { id: newId(), personId: id, scope, role, createdAt, invitedBy: null });
    const sealedSecret = seal(keys, factorId, totpSecret);
    insertFactor(tx, { id: factorId, personId: id, sessionId: null, sealedSecret, createdAt });
    await confirmFactor(tx, id, factorId, createdAt);
  });

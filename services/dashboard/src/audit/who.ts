import type { HalfSignedIn, SignedIn } from '../http/screen.ts';
import type { Scope } from '../people/roles.rules.ts';
import type { AuditEntry } from './audit.store.ts';

type Who = Pick<AuditEntry, 'personId' | 'scope' | 'address' | 'requestId'>;

/** Who acts, where and from where, as the audit has it. */
export const byMember = ({ person, scope, from: address, requestId }: SignedIn): Who => ({
  personId: person.id,
  scope,
  address,
  requestId,
});

/** The same of whoever may not have chosen yet where to act. */
export const bySession = ({ session, from: address, requestId }: HalfSignedIn): Who => ({
  personId: session.personId,
  scope: scopeOf(session),
  address,
  requestId,
});

const scopeOf = ({ scope, scopeId }: HalfSignedIn['session']): Scope | null =>
  scope === null ? null : { kind: scope, id: scopeId };

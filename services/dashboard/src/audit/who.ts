import type { HalfSignedIn, SignedIn } from '../http/screen.ts';
import type { Scope } from '../people/roles.rules.ts';
import type { AuditEntry } from './audit.store.ts';

type Who = Pick<AuditEntry, 'personId' | 'scope' | 'address' | 'requestId'>;

/** Who acts, in which scope and from which address, for an audit row. */
export const byMember = ({ person, scope, from: address, requestId }: SignedIn): Who => ({
  personId: person.id,
  scope,
  address,
  requestId,
});

/** The same for a session that may not have chosen a scope yet. */
export const bySession = ({ session, from: address, requestId }: HalfSignedIn): Who => ({
  personId: session.personId,
  scope: scopeOf(session),
  address,
  requestId,
});

const scopeOf = ({ scope, scopeId }: HalfSignedIn['session']): Scope | null =>
  scope === null ? null : { kind: scope, id: scopeId };

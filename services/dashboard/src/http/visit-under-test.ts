import { newId } from '@cobro/contracts/ids.ts';
import type { SignedIn } from './screen.ts';

/** For tests: an owner, as a screen sees them. */
export const anOwner = () => ({
  person: { id: newId(), email: 'ana@example.com', name: 'Ana' },
  scope: { kind: 'organization', id: newId() } as const,
  session: { provedAt: null, lentUntil: null } as SignedIn['session'],
  address: '/',
  language: 'es' as const,
  formToken: 't',
  role: 'owner' as const,
  scopeName: 'Panadería',
  query: new URLSearchParams(),
});

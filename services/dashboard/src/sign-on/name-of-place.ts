import type { Deps } from '../deps.ts';
import { nameOfScope } from '../http/show.ts';
import type { Visit } from '../http/visit.ts';
import { findOrganizationName } from '../people/organization.store.ts';
import type { SignOn } from './sign-on.store.ts';

/** The name of an issuer's scope, as people read it. */
export async function nameOfPlace({ db }: Deps, { language }: Visit, { scope, scopeId }: SignOn): Promise<string> {
  const name = scope === 'organization' ? await findOrganizationName(db, scopeId ?? '') : undefined;
  return nameOfScope(language, scope, name ?? null);
}

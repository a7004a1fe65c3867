import { newId } from '@cobro/contracts/ids.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import { seal, unseal } from '@cobro/service-kit/seal.ts';
import type { Deps } from '../deps.ts';
import { cookiesOf } from '../http/cookies.ts';
import type { Visit } from '../http/visit.ts';
import { hashOfToken, newToken } from '../people/link.ts';
import type { PersonRow } from '../people/person.row.ts';
import { lockPerson } from '../people/person.store.ts';
import { endSessionByToken, insertSession, type NewSession } from './session.store.ts';

type Begun = Pick<NewSession, 'personId' | 'stage' | 'membershipId' | 'invitationId' | 'provedAt'> &
  Partial<Pick<NewSession, 'beganAt' | 'signOnId'>>;

/** Stores a session and returns its cookie. Only the cookie has the token; the row has a hash. */
export async function beginSession(
  tx: Tx,
  { baseUrl }: Pick<Deps, 'baseUrl'>,
  { userAgent, from, sessionToken }: Visit,
  begun: Begun,
  now: Date,
): Promise<string> {
  const token = newToken();
  // The new cookie replaces another session's, which this browser could no longer end.
  if (sessionToken !== undefined) endSessionByToken(tx, hashOfToken(sessionToken), now);
  await insertSession(tx, {
    ...begun,
    id: newId(now.getTime()),
    tokenHash: hashOfToken(token),
    now,
    userAgent,
    address: from,
  });
  return cookiesOf(baseUrl).set('session', token);
}

/**
 * Begins a session after the right password; the second factor follows within ten minutes. Undefined if the password was changed
 * meanwhile.
 */
export const beginHalfSession = (
  deps: Deps,
  visit: Visit,
  { id: personId, passwordHash }: Pick<PersonRow, 'id' | 'passwordHash'>,
  invitationId: string | null,
): Promise<string | undefined> =>
  deps.db.inTransaction(async (tx) => {
    if ((await lockPerson(tx, personId)).passwordHash !== passwordHash) return undefined;
    const half = { personId, stage: 'password', membershipId: null, invitationId, provedAt: null } as const;
    return beginSession(tx, deps, visit, half, new Date());
  });

const DEVICE_CONTEXT = 'device cookie';
const DEVICE_LIVES_S = 365 * 86_400;

/** Recognizes a browser in which this person has signed in. It opens nothing; it gives the browser its own count of failures. */
export function deviceCookie({ baseUrl, secretKeys }: Deps, personId: string): string {
  const content = new Secret(`${personId} ${newId()}`);
  return cookiesOf(baseUrl).set(
    'device',
    seal(secretKeys, DEVICE_CONTEXT, content).toString('base64url'),
    DEVICE_LIVES_S,
  );
}

/** The id of the browser; undefined if the cookie is not this person's. */
export function deviceOf(
  { secretKeys }: Deps,
  cookie: string | undefined,
  personId: string | undefined,
): string | undefined {
  if (cookie === undefined || personId === undefined) return undefined;
  try {
    const sealed = Buffer.from(cookie, 'base64url');
    const [owner, device] = unseal(secretKeys, DEVICE_CONTEXT, sealed).reveal().split(' ');
    return owner === personId ? device : undefined;
  } catch {
    return undefined;
  }
}

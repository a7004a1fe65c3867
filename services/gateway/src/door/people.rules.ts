import type { CallerOf, Role } from '@cobro/contracts/caller.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { People, RouteContract } from '@cobro/contracts/route.ts';

export type Person = CallerOf<'person'>;

const MAY: Readonly<Record<People, readonly Role[]>> = {
  read: ['read-only', 'viewer', 'operator', 'owner'],
  operate: ['operator', 'owner'],
  own: ['owner'],
};

/** For how long a proved factor counts. */
const PROVED_FOR_MS = 15 * 60_000;

/**
 * Catches mistakes of the dashboard, such as a page that forgot to check; a dashboard that was taken over can write any role and time
 * into its tokens. @throws Refusal 403
 */
export function requireMay(
  person: Person,
  { people, method }: Pick<RouteContract, 'people' | 'method'>,
  now: Date,
): void {
  if (people === undefined || !MAY[people].includes(person.role)) {
    throw new Refusal('FORBIDDEN', { message: 'This role has no permission for this resource.' });
  }
  if (people === 'own' && method !== 'GET') requireFreshFactor(person, now);
}

/** @throws Refusal 403 */
export function requireFreshFactor({ provedAt }: Pick<Person, 'provedAt'>, now: Date): void {
  const ageMs = now.getTime() - Date.parse(provedAt);
  // The clocks of two machines differ a little; a time far ahead is refused.
  if (!(ageMs >= -60_000 && ageMs <= PROVED_FOR_MS)) throw new Refusal('FACTOR_NEEDED');
}

import type { Deps } from '../deps.ts';
import { renewLeases } from '../endpoints/endpoint.store.ts';
import { LEASE_MS } from './leases.ts';

/** Keeps the endpoints at which this process works. */
export async function renewOurLeases({ db, leased }: Deps): Promise<number> {
  if (leased.size > 0) await renewLeases(db, [...leased.keys()], LEASE_MS);
  return 0;
}

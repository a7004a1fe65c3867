import type { Deps } from '../deps.ts';
import { chargeTap } from './charge-tap.ts';
import { listDueTaps } from './tap.store.ts';

const AT_ONCE = 20;

/** Charges taps that were left over: their process died, the bank could not be reached, or it had no place. */
export async function chargeTaps(deps: Deps): Promise<number> {
  const due = await listDueTaps(deps.db, AT_ONCE);
  await Promise.all(due.map((tap) => chargeTap(deps, tap)));
  // The rest at the next run: a bank that cannot be reached must not make this spin.
  return 0;
}

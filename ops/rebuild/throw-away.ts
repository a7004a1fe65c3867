import { patiently, type Rebuild } from './rebuild.ts';
import { dropLeftOvers } from './schemas.store.ts';

/** Throws away new tables that do not serve, and what a killed rebuild has left. */
export async function throwAway({ serving }: Rebuild): Promise<{ dropped: string }> {
  const dropped = await patiently(serving, dropLeftOvers);
  return { dropped: dropped.length === 0 ? 'nothing' : dropped.join(', ') };
}

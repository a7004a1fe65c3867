import type { Seller } from '@cobro/dashboard/sellers/seller-parts.ts';
import type { SignedIn } from '../http/screen.ts';
import { inTime, READING } from '../http/reading.ts';

/** How many a form offers. */
const SHOWN = { status: 'ACTIVE', page: 1, pageSize: 200 } as const;

/** Active salespeople, the newest first; null if they did not come in time. */
export async function whoSells({ api }: SignedIn): Promise<readonly Seller[] | null> {
  const read = await inTime(api.salespeople.list(SHOWN, READING));
  return read?.items ?? null;
}

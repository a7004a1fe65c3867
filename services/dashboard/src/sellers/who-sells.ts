import type { Seller } from '@cobro/dashboard/sellers/seller-parts.ts';
import type { SignedIn } from '../http/screen.ts';
import { inTime, READING } from '../http/reading.ts';

/** As many as a form lets people choose from. */
const SHOWN = { status: 'ACTIVE', page: 1, pageSize: 200 } as const;

/** Who sells now, the newest first; null where they did not come in time. */
export async function whoSells({ api }: SignedIn): Promise<readonly Seller[] | null> {
  const read = await inTime(api.salespeople.list(SHOWN, READING));
  return read?.items ?? null;
}

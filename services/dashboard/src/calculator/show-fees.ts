import { feesPage } from '@cobro/dashboard/calculator/fees-page.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { inTime, READING } from '../http/reading.ts';

/** GET /fees: the fee table of the organization's next payments; only the platform changes it. */
export async function showFees(deps: Deps, visit: SignedIn): Promise<Answer> {
  const fees = await inTime(visit.api.records.fees(READING));
  return show(deps, visit, (frame) => feesPage(frame, fees && fees.items));
}

import { COUNTED_SUBSCRIPTIONS, subscriptionStatuses } from '@cobro/contracts/subscriptions.ts';
import { subscriptionsPage } from '@cobro/dashboard/subscriptions/subscriptions-page.ts';
import type { Deps } from '../deps.ts';
import { pageIn, pageOf } from '../http/page-of-list.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { READING } from '../http/reading.ts';

const PAGE_SIZE = 50;

/** GET /subscriptions: newest first. Unknown values in the address are ignored. */
export async function showSubscriptions(deps: Deps, visit: SignedIn): Promise<Answer> {
  const status = subscriptionStatuses.find((one) => one === visit.query.get('status')) ?? null;
  const page = pageIn(visit.query);
  const query = { ...(status && { status }), page, pageSize: PAGE_SIZE };
  const result = await visit.api.subscriptions.list(query, READING).result();
  const found = pageOf(result, { page, pageSize: PAGE_SIZE, ...(status && { counted: COUNTED_SUBSCRIPTIONS }) });
  return show(deps, visit, (frame) => subscriptionsPage(frame, { status, found }));
}

import { linkStatuses } from '@cobro/dashboard/links/link-parts.ts';
import { linksPage } from '@cobro/dashboard/links/links-page.ts';
import type { Deps } from '../deps.ts';
import { pageIn, pageOf } from '../http/page-of-list.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { READING } from '../http/reading.ts';

const PAGE_SIZE = 50;

/** GET /links: one-time payments, newest first. Unknown values in the address are ignored. */
export async function showLinks(deps: Deps, visit: SignedIn): Promise<Answer> {
  const status = linkStatuses.find((one) => one === visit.query.get('status')) ?? null;
  const page = pageIn(visit.query);
  const query = { ...(status && { status }), page, pageSize: PAGE_SIZE };
  const result = await visit.api.oneTimePayments.list(query, READING).result();
  const now = deps.clock.now();
  const listed = pageOf(result, { page, pageSize: PAGE_SIZE });
  const found = listed && {
    ...listed,
    rows: listed.rows.map((link) => ({ ...link, expired: now >= new Date(link.expiresAt) })),
  };
  return show(deps, visit, (frame) => linksPage(frame, { status, found }));
}

import { Refusal } from '@cobro/contracts/refusals.ts';
import { linkPage, type LinkView, type ShownLink } from '@cobro/dashboard/links/link-page.ts';
import { linkHref } from '@cobro/dashboard/links/link-parts.ts';
import { posterPage } from '@cobro/dashboard/links/share-link.ts';
import { renderSVG } from 'uqr';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { idIn, orNotFound, READING } from '../http/reading.ts';

/** GET /links/{id} */
export async function showLink(deps: Deps, visit: SignedIn): Promise<Answer> {
  const link = await readLink(visit);
  const done = doneTo(link, visit.query.get('done'));
  return show(deps, visit, (frame) => linkPage(frame, { link, qr: drawn(link), done }));
}

/** GET /links/{id}/poster */
export async function showPoster(deps: Deps, visit: SignedIn): Promise<Answer> {
  const link = await readLink(visit);
  if (link.status !== 'PENDING' || link.expired) throw new Refusal('NOT_FOUND');
  const shared = { ...link, href: linkHref(link.id) };
  return show(deps, visit, (frame) => posterPage(frame, { link: shared, qr: drawn(link), section: 'links' }));
}

const drawn = ({ checkoutUrl }: ShownLink) => renderSVG(checkoutUrl, { border: 2 });

/** Confirms what the address says was done, if the status agrees. */
function doneTo({ status }: ShownLink, said: string | null): LinkView['done'] {
  if (said === 'created' && status === 'PENDING') return said;
  return said === 'cancelled' && status === 'CANCELLED' ? said : null;
}

/** The one-time payment that the address names. */
export const readLink = async (visit: SignedIn): Promise<ShownLink> =>
  orNotFound(visit.api.oneTimePayments.record(idIn(visit), READING));

import { Refusal } from '@cobro/contracts/refusals.ts';
import { posterPage } from '@cobro/dashboard/links/share-link.ts';
import { paymentLinkHref } from '@cobro/dashboard/payment-links/payment-link-parts.ts';
import {
  paymentLinkPage,
  type PaymentLinkView,
  type ShownPaymentLink,
} from '@cobro/dashboard/payment-links/payment-link-page.ts';
import { renderSVG } from 'uqr';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { idIn, orNotFound, READING } from '../http/reading.ts';

const LATEST = 10;

/** GET /payment-links/{id} */
export async function showPaymentLink(deps: Deps, visit: SignedIn): Promise<Answer> {
  const link = await readPaymentLink(visit);
  const paid = await visit.api.paymentLinks.payments(link.id, { pageSize: LATEST }, READING).result();
  const payments = paid.kind === 'done' ? paid.value.items : null;
  const done = doneTo(link, visit.query.get('done'));
  return show(deps, visit, (frame) => paymentLinkPage(frame, { link, payments, qr: drawn(link), done }));
}

/** GET /payment-links/{id}/poster */
export async function showPaymentLinkPoster(deps: Deps, visit: SignedIn): Promise<Answer> {
  const link = await readPaymentLink(visit);
  if (link.status !== 'ACTIVE') throw new Refusal('NOT_FOUND');
  const shared = { ...link, href: paymentLinkHref(link.id) };
  return show(deps, visit, (frame) => posterPage(frame, { link: shared, qr: drawn(link), section: 'paymentLinks' }));
}

const drawn = ({ checkoutUrl }: ShownPaymentLink) => renderSVG(checkoutUrl, { border: 2 });

/** Confirms what the address says was done, if the status agrees. */
function doneTo({ active }: ShownPaymentLink, said: string | null): PaymentLinkView['done'] {
  if ((said === 'created' || said === 'on') && active) return said;
  return said === 'off' && !active ? said : null;
}

/** The payment link that the address names. */
export const readPaymentLink = async (visit: SignedIn): Promise<ShownPaymentLink> =>
  orNotFound(visit.api.paymentLinks.get(idIn(visit), READING));

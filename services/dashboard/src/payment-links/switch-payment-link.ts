import { switchPaymentLinkPage } from '@cobro/dashboard/payment-links/payment-link-page.ts';
import { paymentLinkHref } from '@cobro/dashboard/payment-links/payment-link-parts.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { problemOf } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { readPaymentLink } from './show-payment-link.ts';

/** GET /payment-links/{id}/on and …/off: the form alone, for browsers without script. */
export const showSwitch =
  (active: boolean) =>
  async (deps: Deps, visit: SignedIn): Promise<Answer> => {
    const link = { ...(await readPaymentLink(visit)), active: !active };
    return show(deps, visit, (frame) => switchPaymentLinkPage(frame, { link, problem: null }));
  };

/** POST /payment-links/{id}/on and …/off: repeated, it does nothing more. */
export const switchPaymentLink =
  (active: boolean) =>
  async (deps: Deps, visit: SignedIn): Promise<Answer> => {
    const link = await readPaymentLink(visit);
    const result = await audited(deps, visit, {
      what: active ? 'payment-link.on' : 'payment-link.off',
      target: link.id,
      send: () => visit.api.paymentLinks.change(link.id, { active }, { attempts: 1 }).result(),
    });
    if (result.kind === 'done') return redirect(`${paymentLinkHref(link.id)}?done=${active ? 'on' : 'off'}`);
    const asked = { ...link, active: !active };
    return show(deps, visit, (frame) =>
      switchPaymentLinkPage(frame, { link: asked, problem: problemOf(visit, result) }),
    );
  };

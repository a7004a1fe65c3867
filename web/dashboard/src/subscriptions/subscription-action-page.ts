import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { actionForm } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import { amount, centavosIn, written } from '../parts/small-parts.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { statusOf, subscriptionHref, subscriptionNotice, type SubscriptionProblem } from './subscription-parts.ts';
import { subscriptionFormWords } from './subscription-form-words.ts';
import { subscriptionWords } from './subscription-words.ts';

export const subscriptionActions = ['pause', 'resume', 'cancel', 'cancel-at-end', 'collect'] as const;
export type SubscriptionAction = (typeof subscriptionActions)[number];

export interface SubscriptionActionView {
  action: SubscriptionAction;
  subscription: Pick<Subscription, 'id' | 'amount' | 'description'>;
  /** The period that is collected; null for other actions. */
  number: number | null;
  problem: SubscriptionProblem | null;
}

/** GET, and refused POST /subscriptions/{id}/{action} */
export function subscriptionActionPage(frame: Frame, view: SubscriptionActionView): Content {
  const { language } = frame;
  const { action, subscription, number, problem } = view;
  const words = subscriptionWords[language];
  return {
    status: statusOf(problem),
    title: subscriptionFormWords[language][action].title,
    section: 'subscriptions',
    trail: { href: subscriptionHref(subscription.id), label: words.detail.title },
    main: html`${problem && notice(language, subscriptionNotice(language, problem))}
      <div class="panel">
        <p class="big">${amount(centavosIn(subscription.amount))} <span class="quiet">MXN</span></p>
        ${subscription.description && html`<p class="explain">${written(subscription.description)}</p>`}
        ${number !== null && html`<p class="explain">${words.number(number)}</p>`}
        ${actionFormOf(frame, view)}
      </div>`,
  };
}

/** The form of an action: on its page, and in a dialog of the subscription's page. */
export function actionFormOf(frame: Frame, view: Omit<SubscriptionActionView, 'problem'>): Html {
  const { action, subscription, number } = view;
  const words = subscriptionFormWords[frame.language];
  return html`<p class="explain">${words[action].explain}</p>
    ${actionForm(frame, {
      action: `${subscriptionHref(subscription.id)}/${action}`,
      fields: number === null ? [] : html`<input type="hidden" name="number" value="${String(number)}" />`,
      button: words[action].button,
      ...(action.startsWith('cancel') && { kind: 'danger' as const }),
      back: { href: subscriptionHref(subscription.id), label: words.back },
    })}`;
}

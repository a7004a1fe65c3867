import { periodicities } from '@cobro/contracts/periodicities.ts';
import { html } from '@cobro/html/html.ts';
import { actionForm, choice, field } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { statusOf, subscriptionNotice, type SubscriptionProblem, SUBSCRIPTIONS } from './subscription-parts.ts';
import { type SubscriptionFormWords, subscriptionFormWords } from './subscription-form-words.ts';
import { subscriptionWords } from './subscription-words.ts';

export type SubscriptionField = keyof SubscriptionFormWords['form']['errors'];

export interface NewSubscriptionView {
  /** The form's id: sent twice, it makes one subscription. */
  formId: string;
  /** As it was typed. */
  typed: Partial<Record<SubscriptionField, string>>;
  wrong: readonly SubscriptionField[];
  problem: SubscriptionProblem | null;
}

/** GET, and refused POST /subscriptions/new */
export function newSubscriptionPage(frame: Frame, { formId, typed, wrong, problem }: NewSubscriptionView): Content {
  const { language } = frame;
  const words = subscriptionWords[language];
  const { form } = subscriptionFormWords[language];
  const of = (name: SubscriptionField) => ({
    name,
    label: form[name],
    value: typed[name],
    error: wrong.includes(name) ? form.errors[name] : undefined,
  });
  const paymentMethodId = { ...of('paymentMethodId'), hint: form.paymentMethodIdHint, maxlength: 36 };
  const amount = { ...of('amount'), hint: form.amountHint, isAmount: true, maxlength: 15 };
  const first = { ...of('firstBillingDate'), hint: form.firstBillingDateHint, isOptional: true, type: 'date' as const };
  const total = { ...of('totalPeriods'), hint: form.totalPeriodsHint, isOptional: true, maxlength: 3 };
  const options = periodicities.map((one) => [one, words.periodicities[one]] as const);
  return {
    status: wrong.length > 0 ? 400 : statusOf(problem),
    title: form.title,
    section: 'subscriptions',
    trail: { href: SUBSCRIPTIONS, label: words.title },
    main: html`${problem && notice(language, subscriptionNotice(language, problem))}
      <div class="panel">
        <p class="explain">${form.explain}</p>
        ${actionForm(frame, {
          action: `${SUBSCRIPTIONS}/new`,
          fields: html`<input type="hidden" name="formId" value="${formId}" />
            ${field(frame, paymentMethodId)} ${field(frame, amount)}
            ${choice({ name: 'periodicity', label: form.periodicity, value: typed.periodicity ?? 'MONTHLY', options })}
            ${field(frame, first)} ${field(frame, total)}
            ${field(frame, { ...of('description'), isOptional: true, maxlength: 500 })}`,
          button: form.button,
          back: { href: SUBSCRIPTIONS, label: form.back },
        })}
      </div>`,
  };
}

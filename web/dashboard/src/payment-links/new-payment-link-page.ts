import { html } from '@cobro/html/html.ts';
import type { LinkProblem } from '../links/link-parts.ts';
import { linkWords } from '../links/link-words.ts';
import { termsField } from '../links/new-link-page.ts';
import { actionForm, field } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { paymentLinkNotice } from './payment-link-parts.ts';
import { paymentLinkWords, type PaymentLinkWords } from './payment-link-words.ts';

export type PaymentLinkField = keyof PaymentLinkWords['form']['errors'];

export interface NewPaymentLinkView {
  /** Of this form: sent twice, it makes one payment link. */
  formId: string;
  /** As it was typed. */
  typed: { amount?: string; description?: string; maxPayments?: string; terms: readonly number[] };
  wrong: readonly PaymentLinkField[];
  problem: LinkProblem | null;
}

/** GET, and refused POST /payment-links/new */
export function newPaymentLinkPage(frame: Frame, { formId, typed, wrong, problem }: NewPaymentLinkView): Content {
  const { language } = frame;
  const words = paymentLinkWords[language];
  const { form } = words;
  const errorOf = (name: PaymentLinkField) => (wrong.includes(name) ? form.errors[name] : undefined);
  return {
    status: problem === null ? (wrong.length > 0 ? 400 : 200) : problem.kind === 'lost' ? 502 : problem.status,
    title: form.title,
    section: 'paymentLinks',
    trail: { href: '/payment-links', label: words.title },
    main: html`${problem && notice(language, paymentLinkNotice(language, problem))}
      <div class="panel">
        ${actionForm(frame, {
          action: '/payment-links/new',
          fields: html`<input type="hidden" name="formId" value="${formId}" />
            ${field(frame, { name: 'amount', label: form.amount, hint: form.amountHint, value: typed.amount, error: errorOf('amount'), isAmount: true, maxlength: 15 })}
            ${field(frame, { name: 'description', label: form.description, hint: form.descriptionHint, value: typed.description, error: errorOf('description'), maxlength: 500 })}
            ${termsField(typed.terms, linkWords[language].form, undefined)}
            ${field(frame, { name: 'maxPayments', label: form.maxPayments, hint: form.maxPaymentsHint, value: typed.maxPayments, error: errorOf('maxPayments'), isOptional: true, maxlength: 7 })}`,
          button: form.button,
          back: { href: '/payment-links', label: form.back },
        })}
      </div>`,
  };
}

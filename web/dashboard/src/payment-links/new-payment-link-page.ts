import { offeredTerms } from '@cobro/contracts/offered-terms.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { LinkProblem } from '../links/link-parts.ts';
import { linkWords } from '../links/link-words.ts';
import { termsField } from '../links/new-link-page.ts';
import { actionForm, choice, field, missingChoice } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import { centavosIn, signedPesos } from '../parts/small-parts.ts';
import { type Seller, sellerChoice } from '../sellers/seller-parts.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { paymentLinkNotice } from './payment-link-parts.ts';
import { paymentLinkWords, type PaymentLinkWords } from './payment-link-words.ts';

export type PaymentLinkField = keyof PaymentLinkWords['form']['errors'];

export interface NewPaymentLinkView {
  /** The form's id: sent twice, it makes one payment link. */
  formId: string;
  /** As it was typed. */
  typed: {
    product?: string;
    amount?: string;
    description?: string;
    maxPayments?: string;
    expiresAt?: string;
    salesperson?: string;
    terms: readonly number[];
  };
  /** On sale, the price in pesos. These two are null if they did not come in time. */
  products: readonly { id: string; name: string; price: number }[] | null;
  sellers: readonly Seller[] | null;
  wrong: readonly PaymentLinkField[];
  problem: LinkProblem | null;
}

/** GET, and refused POST /payment-links/new */
export function newPaymentLinkPage(frame: Frame, view: NewPaymentLinkView): Content {
  const { language } = frame;
  const words = paymentLinkWords[language];
  const { form } = words;
  const { wrong, problem } = view;
  return {
    status: problem === null ? (wrong.length > 0 ? 400 : 200) : problem.kind === 'lost' ? 502 : problem.status,
    title: form.title,
    section: 'paymentLinks',
    trail: { href: '/payment-links', label: words.title },
    main: html`${problem && notice(language, paymentLinkNotice(language, problem))}
      <div class="panel">
        ${actionForm(frame, {
          action: '/payment-links/new',
          fields: fieldsOf(frame, view, form),
          button: form.button,
          back: { href: '/payment-links', label: form.back },
        })}
      </div>`,
  };
}

function fieldsOf(
  frame: Frame,
  { formId, typed, products, sellers, wrong }: NewPaymentLinkView,
  words: PaymentLinkWords['form'],
): Html {
  const errorOf = (name: PaymentLinkField) => (wrong.includes(name) ? words.errors[name] : undefined);
  const isOptional = products === null || products.length > 0;
  return html`<input type="hidden" name="formId" value="${formId}" />
    ${isOptional && productChoice(frame, products, typed.product, words)}
    ${field(frame, { name: 'amount', label: words.amount, hint: isOptional ? words.amountOrProduct : words.amountHint, value: typed.amount, error: errorOf('amount'), isAmount: true, isOptional, maxlength: 15 })}
    ${field(frame, { name: 'description', label: words.description, hint: isOptional ? words.descriptionOrProduct : words.descriptionHint, value: typed.description, error: errorOf('description'), isOptional, maxlength: 500 })}
    ${termsField(offeredTerms, typed.terms, linkWords[frame.language].form)}
    ${field(frame, { name: 'maxPayments', label: words.maxPayments, hint: words.maxPaymentsHint, value: typed.maxPayments, error: errorOf('maxPayments'), isOptional: true, maxlength: 7 })}
    ${field(frame, { name: 'expiresAt', label: words.expiresAt, hint: words.expiresAtHint, value: typed.expiresAt, error: errorOf('expiresAt'), type: 'datetime-local', isOptional: true })}
    ${sellerChoice(frame, sellers, typed.salesperson)}`;
}

function productChoice(
  frame: Frame,
  products: NewPaymentLinkView['products'],
  value: string | undefined,
  words: PaymentLinkWords['form'],
): Html {
  const product = { name: 'product', label: words.product };
  if (products === null) return missingChoice(frame, { ...product, chosen: [value] });
  const named = products.map(({ id, name, price }) => [id, `${name} · ${signedPesos(centavosIn(price))}`] as const);
  return choice({ ...product, value, options: [['', words.noProduct], ...named] });
}

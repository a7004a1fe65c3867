import { checkoutAddress } from './checkout-address.ts';
import type { FormView } from './checkout-view.ts';
import { avatarOf, type Content, nameOf, shortNameOf } from './document.ts';
import { fieldError, type FormContext, input } from './form-controls.ts';
import { hiddenFields } from './form-fields.ts';
import { noticeOf } from './form-notice.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { icons, networkMarks } from '@cobro/html/icons.ts';
import { plain } from '@cobro/html/plain.ts';
import { errorText, type Messages } from './messages.ts';
import { monthlyPayments, pesos } from '@cobro/html/money.ts';
import { monthOf, timeIn } from './time.ts';
import { safeLink } from './safe-link.ts';

/** The page that takes the card: what is paid, to whom, and the form with what went wrong so far. */
export function formPage(view: FormView, messages: Messages): Content {
  const errors = view.problem?.kind === 'errors' ? view.problem.errors : {};
  const context: FormContext = { view, messages, errors };
  const notice = noticeOf(view.problem, messages);
  const payTitle = messages.payTitle(plain(view.merchant.name), amountOf(view));
  return {
    status: notice.status,
    title: notice.title === undefined ? payTitle : `${messages.errorTitle(notice.title)} · ${payTitle}`,
    ...(notice.headers ? { headers: notice.headers } : {}),
    encrypted: view.encrypted,
    main: html`<main class="checkout">
      ${summary(view, messages)}
      <div class="sheet">${notice.html} ${form(context)}</div>
    </main>`,
  };
}

const amountOf = (view: FormView) => `${pesos(view.payment.amount)} MXN`;

function summary({ merchant, payment, language }: FormView, messages: Messages): Html {
  const description = plain(payment.description);
  return html`<section class="summary">
    <h1>
      <span class="payee">${avatarOf(merchant)}<span><span class="quiet">${messages.payTo}</span> ${nameOf(merchant)}</span></span>
      <span class="amount">${pesos(payment.amount)} <span class="currency">MXN</span></span>
    </h1>
    ${description !== '' && html`<p class="description" dir="auto">${description}</p>`}
    ${payment.expiresAt !== null && html`<p class="quiet until">${messages.availableUntil(timeIn(language, payment.expiresAt))}</p>`}
  </section>`;
}

function form(context: FormContext): Html {
  const { view, messages } = context;
  const home = safeLink(view.homepageUrl);
  const month = monthOf(view.now);
  return html`<form id="pay" method="post" action="${checkoutAddress(view.id)}" data-month="${month}">
    <input type="hidden" name="${hiddenFields.token}" value="${view.token}" />
    <input type="hidden" name="${hiddenFields.language}" value="${view.language}" />
    <input type="hidden" name="${hiddenFields.amount}" value="${String(view.payment.amount)}" />
    ${cardSection(context)} ${termsSection(context)} ${payerSection(context)}
    <button class="pay" type="submit" data-busy="${messages.paying}">${messages.pay(amountOf(view))}</button>
    <p class="safety">${icons.lock}<span>${messages.cardSafety}</span></p>
    ${home !== null && html`<p class="leave"><a href="${home}" rel="noopener noreferrer">${messages.backTo(shortNameOf(view.merchant))}</a></p>`}
  </form>`;
}

function cardSection(context: FormContext): Html {
  const { messages } = context;
  return html`<fieldset>
    <legend>${messages.sections.card}</legend>
    ${input(context, {
      name: 'number',
      autocomplete: 'cc-number',
      // 19 digits with spaces between them, and some characters typed by mistake.
      maxlength: 26,
      numeric: true,
      placeholder: '1234 5678 9012 3456',
      hint: 'networks',
      besideLabel: networkMarks,
    })}
    <p class="unseen" id="networks">${messages.networks}</p>
    <p class="unseen" id="network" role="status"></p>
    <div class="pair">
      ${input(context, {
        name: 'expiry',
        autocomplete: 'cc-exp',
        maxlength: 9,
        numeric: true,
        placeholder: messages.expiryExample,
      })}
      ${input(context, { name: 'cvc', autocomplete: 'cc-csc', maxlength: 4, numeric: true, hint: 'cvc-hint' })}
    </div>
    <p class="hint" id="cvc-hint">${messages.cvcHint}</p>
    ${input(context, { name: 'holderName', autocomplete: 'cc-name', maxlength: 255 })}
  </fieldset>`;
}

/** The choice of terms, unless a single payment is the only one. */
function termsSection({ view, messages, errors }: FormContext): Html | undefined {
  const { allowedTerms, values } = view;
  if (allowedTerms.every((terms) => terms === 1)) return undefined;
  const chosen = allowedTerms.find((terms) => String(terms) === values.terms) ?? allowedTerms[0];
  const fault = errors.terms && errorText(messages, 'terms', errors.terms);
  return html`<fieldset aria-describedby="terms-note terms-error">
    <legend>${messages.sections.terms}</legend>
    <div class="terms">${allowedTerms.map((terms) => termChoice(view, messages, terms, terms === chosen))}</div>
    <p class="hint" id="terms-note">${messages.installmentsNote(amountOf(view))}</p>
    ${fieldError('terms', fault)}
  </fieldset>`;
}

function termChoice({ payment, allowedTerms }: FormView, messages: Messages, terms: number, isChosen: boolean): Html {
  const { each, last } = monthlyPayments(payment.amount, terms);
  // The summary of errors links to the first choice.
  const id = terms === allowedTerms[0] && html` id="terms"`;
  const what = terms === 1 ? messages.singlePayment : messages.monthly(terms);
  return html`<label class="term">
    <input type="radio" name="terms" value="${terms}"${id}${isChosen && html` checked`} />
    <span class="what">${what}${last !== each && html` <span class="quiet">${messages.lastPayment(pesos(last))}</span>`}</span>
    <span class="each">${pesos(each)}${terms > 1 && html` <span class="quiet">${messages.perMonth}</span>`}</span>
  </label>`;
}

const moreFields = ['phoneNumber', 'addressLine', 'city', 'state', 'zip'] as const;

function payerSection(context: FormContext): Html {
  const { view, messages, errors } = context;
  const isOpen = moreFields.some((name) => view.values[name] !== undefined || errors[name] !== undefined);
  const address = { maxlength: 255, optional: true };
  return html`<fieldset>
<legend>${messages.sections.payer}</legend>
${input(context, { name: 'email', autocomplete: 'email', maxlength: 255, type: 'email' })}
<div class="pair">
${input(context, { name: 'firstName', autocomplete: 'given-name', maxlength: 255 })}
${input(context, { name: 'lastName', autocomplete: 'family-name', maxlength: 255 })}
</div>
<details${isOpen && html` open`}>
<summary>${messages.sections.more} <span class="quiet">${messages.optional}</span></summary>
${input(context, { name: 'phoneNumber', autocomplete: 'tel', maxlength: 50, type: 'tel', optional: true })}
${input(context, { name: 'addressLine', autocomplete: 'billing address-line1', ...address })}
${input(context, { name: 'city', autocomplete: 'billing address-level2', ...address })}
<div class="pair">
${input(context, { name: 'state', autocomplete: 'billing address-level1', ...address })}
${input(context, { name: 'zip', autocomplete: 'billing postal-code', maxlength: 20, optional: true })}
</div>
</details>
</fieldset>`;
}

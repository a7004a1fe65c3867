import { checkoutAddress } from './checkout-address.ts';
import type { ClosedView, ConfirmingView, ForeignOriginView, NothingView, PaidView } from './checkout-view.ts';
import { avatarOf, type Content, nameOf, shortNameOf } from './document.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { icons } from '@cobro/html/icons.ts';
import { plain } from '@cobro/html/plain.ts';
import type { Messages } from './messages.ts';
import { monthlyPayments, pesos } from '@cobro/html/money.ts';
import { safeLink } from './safe-link.ts';
import { timeIn } from './time.ts';

/** Seconds until a browser without the script asks again. */
const REFRESH_S = 5;

/** The bank has not answered yet. The script asks again every few seconds; without a script the browser does. */
export function confirmingPage(view: ConfirmingView, messages: Messages): Content {
  const { title, text, dontPayAgain, refresh } = messages.confirming;
  const here = checkoutAddress(view.id, { attempt: view.attempt, language: view.language });
  return {
    status: 200,
    title,
    head: html`<noscript><meta http-equiv="refresh" content="${REFRESH_S};url=${here}" /></noscript>`,
    main: card(
      html`<span class="badge spinner" aria-hidden="true"></span>
        <h1>${title}</h1>
        <p class="amount">${pesos(view.payment.amount)} <span class="currency">MXN</span></p>
        <p>${text(nameOf(view.merchant))}</p>
        <p class="quiet">${dontPayAgain}</p>
        <p class="actions"><a class="action second" href="${here}">${refresh}</a></p>`,
    ),
  };
}

/** The receipt, for the browser that paid. */
export function paidPage(view: PaidView, messages: Messages): Content {
  const { paid } = messages;
  const { merchant, payment } = view;
  const description = plain(payment.description);
  const rows: [string, Html | string][] = [
    ...(description === '' ? [] : [[paid.description, html`<span dir="auto">${description}</span>`] as [string, Html]]),
    [paid.date, timeIn(view.language, payment.paidAt)],
    [paid.card, paid.cardEnding(networkName(payment.card.network), payment.card.lastFourDigits)],
    [paid.terms, termsOf(view, messages)],
    [paid.operationCode, html`<strong translate="no">${payment.operationCode}</strong>`],
  ];
  return {
    status: 200,
    title: `${paid.title} · ${plain(merchant.name)}`,
    main: card(
      html`<span class="badge good">${icons.check}</span>
        <h1>${paid.title}</h1>
        <p class="amount">${pesos(payment.amount)} <span class="currency">MXN</span></p>
        <p>${paid.to(nameOf(merchant))}</p>
        <dl>
          ${rows.map(
            ([term, detail]) =>
              html`<div>
                <dt>${term}</dt>
                <dd>${detail}</dd>
              </div>`,
          )}
        </dl>
        <p class="quiet">${paid.keep}</p>
        <p class="actions">
          ${backLink(view, messages)}<button type="button" class="action second" id="print">${paid.print}</button>
        </p>`,
    ),
  };
}

function termsOf({ payment }: PaidView, messages: Messages): string {
  const { amount, terms } = payment;
  if (terms === 1) return messages.singlePayment;
  const { each, last } = monthlyPayments(amount, terms);
  const equal = messages.paid.installments(terms, pesos(each));
  return last === each ? equal : `${equal} (${messages.lastPayment(pesos(last))})`;
}

const networkNames = new Map([
  ['VISA', 'Visa'],
  ['MASTERCARD', 'Mastercard'],
  ['AMEX', 'American Express'],
  ['CARNET', 'Carnet'],
]);

const networkName = (network: string) => networkNames.get(network) ?? plain(network);

const badges: { [State in (ClosedView | ForeignOriginView)['state']]: Html } = {
  'already-paid': html`<span class="badge good">${icons.check}</span>`,
  cancelled: html`<span class="badge">${icons.cross}</span>`,
  expired: html`<span class="badge">${icons.clock}</span>`,
  inactive: html`<span class="badge">${icons.cross}</span>`,
  'sold-out': html`<span class="badge">${icons.cross}</span>`,
  'foreign-origin': html`<span class="badge">${icons.warning}</span>`,
};

/** Nothing can be paid here any more; or, from a foreign origin, not like this. */
export function closedPage(view: ClosedView | ForeignOriginView, messages: Messages): Content {
  const { title, text } = messages.closed[view.state];
  const isForeign = view.state === 'foreign-origin';
  const ownPage = html`<a class="action" href="${checkoutAddress(view.id, { language: view.language })}">${messages.openPage}</a>`;
  const link = isForeign ? ownPage : backLink(view, messages);
  return {
    status: isForeign ? 403 : 200,
    title: `${title} · ${plain(view.merchant.name)}`,
    main: card(
      html`${badges[view.state]}
        <h1>${title}</h1>
        <p class="payee">${avatarOf(view.merchant)}${nameOf(view.merchant)}</p>
        <p>${text}</p>
        ${link && html`<p class="actions">${link}</p>`}`,
    ),
  };
}

/** No such payment, or it cannot be shown now: no merchant is known. */
export function nothingPage(view: NothingView, messages: Messages): Content {
  const { title, text } = messages.nothing[view.state];
  const isUnavailable = view.state === 'unavailable';
  return {
    status: isUnavailable ? 503 : 404,
    title,
    ...(isUnavailable ? { headers: { 'Retry-After': '1' } } : {}),
    main: card(
      html`<span class="badge">${isUnavailable ? icons.clock : icons.question}</span>
        <h1>${title}</h1>
        <p>${text}</p>`,
    ),
  };
}

const card = (content: Html): Html => html`<main class="outcome">${content}</main>`;

/** Links to the page that the merchant wants the payer to see next; never followed by itself. */
function backLink(view: PaidView | ClosedView | ForeignOriginView, messages: Messages): Html | undefined {
  const address = safeLink(view.state === 'paid' ? view.redirectUrl : null) ?? safeLink(view.homepageUrl);
  if (address === null) return undefined;
  return html`<a class="action" href="${address}" rel="noopener noreferrer">${messages.backTo(shortNameOf(view.merchant))}</a>`;
}

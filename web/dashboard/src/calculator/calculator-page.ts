import { decimalOf } from '@cobro/contracts/amount.ts';
import type { paymentTypes } from '@cobro/contracts/payment-fields.ts';
import type { Disbursement } from '@cobro/domain/fees.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { choice, field } from '../parts/form.ts';
import { amount, empty, unavailable } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { networkName } from '../payments/payment-parts.ts';
import { type Content, type Frame, mayOperate } from '../shell/frame.ts';
import { type CalculatorWords, calculatorWords } from './calculator-words.ts';
import { feesLink } from './fees-page.ts';

export const networks = ['VISA', 'MASTERCARD', 'AMEX', 'CARNET'] as const;
export const fundingSources = ['CREDIT', 'DEBIT', 'PREPAID'] as const;
export const cardTypes = [
  'CARD_NOT_PRESENT',
  'CARD_PRESENT',
] as const satisfies readonly (typeof paymentTypes)[number][];

/** What decides the fee besides the terms. */
export interface CardKind {
  type: (typeof cardTypes)[number];
  network: (typeof networks)[number];
  fundingSource: (typeof fundingSources)[number];
}

/** What a number of terms brings. Amounts in centavos. */
export interface Offer {
  terms: number;
  monthly: bigint;
  mayBeLink: boolean;
  /** Null if there is no fee for it, so that it cannot be sold. */
  disbursed: Disbursement | null;
}

export interface CalculatorView {
  typed: string;
  card: CardKind;
  /** `amount` in pesos. */
  found:
    | { kind: 'nothing' }
    | { kind: 'wrong-amount' }
    | { kind: 'unavailable' }
    | { kind: 'offers'; amount: number; offers: readonly Offer[] };
}

/** GET /calculator */
export function calculatorPage(frame: Frame, view: CalculatorView): Content {
  const words = calculatorWords[frame.language];
  const statuses = { nothing: 200, offers: 200, 'wrong-amount': 400, unavailable: 503 };
  return {
    status: statuses[view.found.kind],
    title: words.title,
    section: 'calculator',
    action: feesLink(frame),
    main: html`<p class="explain">${words.intro}</p>
      ${formOf(frame, view, words)} ${foundOf(frame, view, words)}`,
  };
}

function formOf(frame: Frame, { typed, card, found }: CalculatorView, words: CalculatorWords): Html {
  const error = found.kind === 'wrong-amount' ? words.wrongAmount : undefined;
  return html`<form class="panel calculator" method="get" action="/calculator">
    <div class="filter-grid">
      ${field(frame, { name: 'amount', label: words.amount, value: typed, error, isAmount: true, maxlength: 15 })}
      ${choice({ name: 'network', label: words.network, value: card.network, options: networks.map((one) => [one, networkName(one)] as const) })}
      ${choice({ name: 'fundingSource', label: words.fundingSource, value: card.fundingSource, options: fundingSources.map((one) => [one, words.fundingSources[one]] as const) })}
      ${choice({ name: 'type', label: words.type, value: card.type, options: cardTypes.map((one) => [one, words.types[one]] as const) })}
    </div>
    <button class="button">${words.button}</button>
  </form>`;
}

function foundOf(frame: Frame, { card, found }: CalculatorView, words: CalculatorWords): Html | null {
  if (found.kind === 'wrong-amount') return null;
  if (found.kind === 'nothing') return empty(words.first);
  if (found.kind === 'unavailable') return unavailable(frame.language);
  const hasPromotion = found.offers.some(({ disbursed }) => disbursed !== null && disbursed.promotionTakeAmount > 0n);
  const hasLinks = mayOperate(frame) && found.offers.some(({ mayBeLink }) => mayBeLink);
  const { columns } = words;
  return html`${table({
    caption: words.title,
    columns: [
      { label: columns.terms, kind: 'main' as const },
      { label: columns.monthly, kind: 'amount' as const },
      { label: columns.fee, kind: 'amount' as const },
      { label: columns.feeAmount, kind: 'amount' as const },
      ...(hasPromotion ? [{ label: columns.promotion, kind: 'amount' as const }] : []),
      { label: columns.take, kind: 'amount' as const },
      ...(hasLinks ? [{ label: columns.link }] : []),
    ],
    rows: found.offers.map((offer) => [
      ...figuresOf(offer, words, hasPromotion),
      ...(hasLinks ? [linkOf(found.amount, offer, words)] : []),
    ]),
  })}
  <p class="hint">${card.fundingSource !== 'CREDIT' && words.credit} ${words.cents}</p>`;
}

function figuresOf(
  { terms, monthly, disbursed }: Offer,
  words: CalculatorWords,
  hasPromotion: boolean,
): (Html | null)[] {
  const quiet = (text: string) => html`<span class="quiet">${text}</span>`;
  const label = labelOf(terms, words);
  if (disbursed === null) return [quiet(label), null, quiet(words.noFee), null, ...(hasPromotion ? [null] : []), null];
  const { finalFeePercentageForMerchant, merchantFeeAmount, merchantIvaFeeAmount, promotionTakeAmount } = disbursed;
  return [
    html`<strong>${label}</strong>`,
    html`<span class="number">${terms > 1 && quiet(`${terms} × `)}${amount(monthly)}</span>`,
    html`<span class="number">${decimalOf(BigInt(finalFeePercentageForMerchant))} %</span>`,
    amount(-(merchantFeeAmount + merchantIvaFeeAmount)),
    ...(hasPromotion ? [amount(-promotionTakeAmount)] : []),
    html`<strong data-take="${terms}">${amount(disbursed.merchantTakeAmount)}</strong>`,
  ];
}

const labelOf = (terms: number, { single, months }: CalculatorWords) => (terms === 1 ? single : months(terms));

function linkOf(pesos: number, { terms, mayBeLink }: Offer, words: CalculatorWords): Html | null {
  if (!mayBeLink) return null;
  const query = new URLSearchParams({ amount: String(pesos), terms: String(terms) }).toString();
  const label = words.makeLinkOf(labelOf(terms, words));
  return html`<a href="/links/new?${query}" aria-label="${label}">${words.makeLink}</a>`;
}

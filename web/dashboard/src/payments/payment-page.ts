import type { PaymentRecord, TimelineOperation } from '@cobro/contracts/payment-timeline.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { dialog, opener } from '../parts/dialog.ts';
import { newsOf } from '../parts/news.ts';
import { notice } from '../parts/notice.ts';
import { amount, centavosIn, code, copyable, facts, written } from '../parts/small-parts.ts';
import { timeElement } from '../parts/time.ts';
import { partWords } from '../parts/words.ts';
import { promotionHref } from '../promotions/promotion-parts.ts';
import { type Content, type Frame, mayOperate } from '../shell/frame.ts';
import { subscriptionHref, SUBSCRIPTIONS } from '../subscriptions/subscription-parts.ts';
import { subscriptionWords } from '../subscriptions/subscription-words.ts';
import { formOf, type PaymentAction } from './action-page.ts';
import { actionWords } from './action-words.ts';
import { type DetailWords, detailWords } from './detail-words.ts';
import { listWords } from './list-words.ts';
import { networkName, paymentHref, shortCard, statusBadge } from './payment-parts.ts';
import { paymentWords } from './payment-words.ts';
import { type Staircase, staircase } from './staircase.ts';
import { timeline } from './timeline.ts';

export interface PaymentView {
  payment: PaymentRecord;
  /** False if holds could not be asked. */
  complete: boolean;
  operations: readonly TimelineOperation[];
  /** Names of persons and keys by their ids, as far as they are known. */
  names: Readonly<Record<string, string>>;
  /** What the merchant gets; null if it did not come in time. */
  disbursement: Staircase | null;
  /** The name of the promotion that it carries; null also if it did not come in time. */
  promotionName: string | null;
  /** What the person has just done. */
  done: PaymentAction | null;
}

/** GET /payments/{id} */
export function paymentPage(frame: Frame, view: PaymentView): Content {
  const { language } = frame;
  const { payment } = view;
  const words = detailWords[language];
  const actions = actionsOf(frame, view);
  return {
    status: 200,
    title: words.title(payment.operationCode),
    section: 'payments',
    trail: { href: '/payments', label: listWords[language].title },
    ...(actions.length > 0 && { action: html`${actions.map((action) => actionLink(language, payment.id, action))}` }),
    main: html`${noticesOf(language, view)}
      <div class="stack">
        <section class="panel summary">
          <p class="big"><span class="number">${amount(centavosIn(payment.amount))}</span> <span class="quiet">MXN</span> ${statusBadge(language, payment.status)}</p>
          ${summaryFacts(language, view, words)}
        </section>
        <div class="panels">${cardPanel(language, payment, words)} ${payerPanel(payment, words)} ${originPanel(frame, payment, words)}</div>
        ${staircase(language, view.disbursement, payment.status === 'CONFIRMED' || payment.status === 'REFUNDED')}
        ${timeline(language, view)}
      </div>
      ${newsOf({ of: { about: payment.id }, shown: [payment.status, ...view.operations.map(({ id, outcome }) => `${id} ${outcome}`)], href: paymentHref(payment.id), ...partWords[language].news.changedPage })}
      ${actions.map((action) => actionDialog(frame, payment, action))}`,
  };
}

/** What this person may do with the payment now: nothing while the bank has not answered. */
function actionsOf(frame: Frame, { payment, operations }: PaymentView): PaymentAction[] {
  if (!mayOperate(frame) || operations.some(({ outcome }) => outcome === 'OPEN')) return [];
  if (payment.status === 'HELD') return payment.holdExpired ? ['release'] : ['capture', 'release'];
  return payment.status === 'CONFIRMED' ? ['refund'] : [];
}

const actionLink = (language: Language, id: string, action: PaymentAction) =>
  opener(
    `${paymentHref(id)}/${action}`,
    `dialog-${action}`,
    actionWords[language][action].title,
    action === 'capture' ? '' : 'second',
  );

const actionDialog = (frame: Frame, payment: PaymentRecord, action: PaymentAction) =>
  dialog({
    id: `dialog-${action}`,
    title: actionWords[frame.language][action].title,
    content: formOf(frame, { action, payment: { ...payment, amount: heldOr(payment) }, typed: {}, problem: null }),
  });

const heldOr = ({ status, heldAmount, amount: moved }: PaymentRecord) =>
  status === 'HELD' && heldAmount !== null ? heldAmount : moved;

function noticesOf(language: Language, { operations, done }: PaymentView): Html | null {
  if (operations.some(({ outcome }) => outcome === 'OPEN')) {
    return html`<div data-waits>${notice(language, { kind: 'wait', ...detailWords[language].waiting })}</div>`;
  }
  return done && notice(language, { kind: 'good', title: actionWords[language].done[done] });
}

function summaryFacts(language: Language, { payment, promotionName }: PaymentView, words: DetailWords): Html {
  const { single, terms } = paymentWords[language];
  const isHeld = payment.status === 'HELD';
  const { heldAmount, holdExpiresAt, declineCode, description, externalId, promotionId } = payment;
  return facts([
    [words.held, heldAmount === null ? null : amount(centavosIn(heldAmount))],
    [words.captureUntil, isHeld && holdExpiresAt !== null ? timeElement(language, holdExpiresAt) : null],
    [words.decline, declineCode && code(declineCode)],
    [words.description, description && written(description)],
    [words.externalId, externalId && written(externalId)],
    [words.terms, payment.terms === 1 ? single : terms(payment.terms)],
    [
      words.promotion,
      promotionId &&
        html`<a href="${promotionHref(promotionId)}">${promotionName === null ? code(promotionId) : written(promotionName)}</a>`,
    ],
    [words.made, timeElement(language, payment.createdAt)],
    [words.id, copyable(language, payment.id)],
  ]);
}

function cardPanel(language: Language, { card, type }: PaymentRecord, words: DetailWords): Html {
  const { types, fundingSources } = paymentWords[language];
  const funding = Object.hasOwn(fundingSources, card.fundingSource) ? fundingSources[card.fundingSource] : null;
  return html`<section class="panel">
    <h2>${words.cardPanel}</h2>
    ${facts([
      [words.card, shortCard({ ...card, network: networkName(card.network) })],
      [words.funding, funding ?? card.fundingSource.toLowerCase()],
      [words.bank, written(card.issuingBank)],
      [words.type, types[type]],
    ])}
  </section>`;
}

function payerPanel({ customer }: PaymentRecord, words: DetailWords): Html {
  const { firstName, lastName, email, phoneNumber } = customer;
  const name = [firstName, lastName].filter(Boolean).join(' ');
  const isKnown = name !== '' || email !== null || phoneNumber !== null;
  return html`<section class="panel">
    <h2>${words.payerPanel}</h2>
    ${
      isKnown
        ? facts([
            [words.name, name && written(name)],
            [words.email, email && written(email)],
            [words.phone, phoneNumber && written(phoneNumber)],
          ])
        : html`<p class="quiet">${words.noPayer}</p>`
    }
  </section>`;
}

/** Links to the payment's subscription; for another charge of a saved card, to the form of a new one. */
function subscriptionLink(frame: Frame, { source, subscriptionId, paymentMethodId }: PaymentRecord): Html | null {
  const { see, subscribe } = subscriptionWords[frame.language].ofPayment;
  if (subscriptionId !== null)
    return html`<p class="more"><a href="${subscriptionHref(subscriptionId)}">${see}</a></p>`;
  if (source !== 'SAVED_CARD' || paymentMethodId === null || !mayOperate(frame)) return null;
  return html`<p class="more"><a href="${SUBSCRIPTIONS}/new?card=${paymentMethodId}">${subscribe}</a></p>`;
}

function originPanel(frame: Frame, payment: PaymentRecord, words: DetailWords): Html {
  const { language } = frame;
  const ids = [
    'paymentMethodId',
    'oneTimePaymentId',
    'paymentLinkId',
    'subscriptionId',
    'paymentIntentId',
    'terminalId',
  ] as const;
  return html`<section class="panel">
    <h2>${words.originPanel}</h2>
    ${facts([
      [words.source, paymentWords[language].sources[payment.source]],
      ...ids.map((name) => [words.ids[name], payment[name] && copyable(language, payment[name])] as const),
    ])}
    ${subscriptionLink(frame, payment)}
  </section>`;
}

import type { PaymentLink } from '@cobro/contracts/payment-links.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { LinkProblem } from '../links/link-parts.ts';
import { linkWords } from '../links/link-words.ts';
import { sharePanel } from '../links/share-link.ts';
import { dialog, opener } from '../parts/dialog.ts';
import { actionForm } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import { amount, centavosIn, copyable, countOf, facts, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { timeElement } from '../parts/time.ts';
import { paymentHref, statusBadge } from '../payments/payment-parts.ts';
import { type Content, type Frame, mayOperate } from '../shell/frame.ts';
import { paymentLinkBadge, paymentLinkHref, paymentLinkNotice } from './payment-link-parts.ts';
import { paymentLinkWords, type PaymentLinkWords } from './payment-link-words.ts';

/** A payment link as its merchant knows it. */
export type ShownPaymentLink = Omit<PaymentLink, 'allowedTerms'> & { allowedTerms: readonly number[] };

/** One of its payments. `amount` in pesos. */
export interface LinkPaymentRow {
  id: string;
  status: Parameters<typeof statusBadge>[1];
  amount: number;
  createdAt: string;
}

export interface PaymentLinkView {
  link: ShownPaymentLink;
  /** The latest; null if they did not come in time. */
  payments: readonly LinkPaymentRow[] | null;
  /** Our own SVG element, with the address of its page. */
  qr: string;
  /** What the person has just done. */
  done: keyof PaymentLinkWords['done'] | null;
}

/** GET /payment-links/{id} */
export function paymentLinkPage(frame: Frame, { link, payments, qr, done }: PaymentLinkView): Content {
  const { language } = frame;
  const words = paymentLinkWords[language];
  const turn = words[turnOf(link)];
  return {
    status: 200,
    title: words.one,
    section: 'paymentLinks',
    trail: { href: '/payment-links', label: words.title },
    main: html`${done && notice(language, { kind: 'good', title: words.done[done] })}
      <div class="stack">
        <section class="panel summary">
          <p class="big">${amount(centavosIn(link.amount))} <span class="quiet">MXN</span> ${paymentLinkBadge(language, link.status)}</p>
          <p>${written(link.description)}</p>
        </section>
        ${link.status === 'ACTIVE' && sharePanel(language, { ...link, href: paymentLinkHref(link.id) }, qr)}
        ${factsPanel(frame, link, words)} ${payments && paymentsPanel(frame, payments, words)}
      </div>
      ${mayOperate(frame) && dialog({ id: 'dialog-switch', title: turn.title, content: switchForm(frame, link) })}`,
  };
}

const turnOf = ({ active }: Pick<PaymentLink, 'active'>) => (active ? 'switchOff' : 'switchOn');
const switchHref = ({ id, active }: Pick<PaymentLink, 'id' | 'active'>) =>
  `${paymentLinkHref(id)}/${active ? 'off' : 'on'}`;

function factsPanel(frame: Frame, link: ShownPaymentLink, words: PaymentLinkWords): Html {
  const { language } = frame;
  const { detail } = words;
  const { form } = linkWords[language];
  const terms = link.allowedTerms.map((one) => (one === 1 ? form.single : form.months(one))).join(', ');
  return html`<section class="panel">
    <h2>${detail.facts}</h2>
    ${facts([
      [detail.payments, countOf(link, words)],
      [detail.product, link.product && written(link.product.name)],
      [detail.made, timeElement(language, link.createdAt)],
      [detail.expires, link.expiresAt && timeElement(language, link.expiresAt)],
      [detail.terms, terms],
      [linkWords[language].detail.seller, link.salesperson && written(link.salesperson.name)],
      [detail.externalId, link.externalId && written(link.externalId)],
      [detail.id, copyable(language, link.id)],
    ])}
    ${mayOperate(frame) && html`<p class="actions">${opener(switchHref(link), 'dialog-switch', words[turnOf(link)].title, 'second')}</p>`}
  </section>`;
}

function paymentsPanel({ language }: Frame, payments: readonly LinkPaymentRow[], words: PaymentLinkWords): Html {
  const { detail, columns } = words;
  const list = table({
    caption: detail.latest,
    columns: [
      { label: columns.made, kind: 'main' },
      { label: columns.status, kind: 'status' },
      { label: columns.amount, kind: 'amount' },
    ],
    rows: payments.map((payment) => [
      html`<a href="${paymentHref(payment.id)}">${timeElement(language, payment.createdAt)}</a>`,
      statusBadge(language, payment.status),
      amount(centavosIn(payment.amount)),
    ]),
  });
  return html`<section class="panel">
    <h2>${detail.latest}</h2>
    ${payments.length === 0 ? html`<p class="quiet">${detail.noPayments}</p>` : list}
  </section>`;
}

export interface SwitchView {
  link: Pick<PaymentLink, 'id' | 'active' | 'amount' | 'description'>;
  problem: LinkProblem | null;
}

/** GET, and refused POST /payment-links/{id}/on and …/off */
export function switchPaymentLinkPage(frame: Frame, { link, problem }: SwitchView): Content {
  const { language } = frame;
  const words = paymentLinkWords[language];
  return {
    status: problem === null ? 200 : problem.kind === 'lost' ? 502 : problem.status,
    title: words[turnOf(link)].title,
    section: 'paymentLinks',
    trail: { href: paymentLinkHref(link.id), label: words.title },
    main: html`${problem && notice(language, paymentLinkNotice(language, problem))}
      <div class="panel">
        <p class="big">${amount(centavosIn(link.amount))} <span class="quiet">MXN</span></p>
        <p class="explain">${written(link.description)}</p>
        ${switchForm(frame, link)}
      </div>`,
  };
}

function switchForm(frame: Frame, link: SwitchView['link']): Html {
  const turn = paymentLinkWords[frame.language][turnOf(link)];
  return html`<p class="explain">${turn.explain}</p>
    ${actionForm(frame, {
      action: switchHref(link),
      fields: [],
      button: turn.button,
      ...(link.active && { kind: 'danger' as const }),
      back: { href: paymentLinkHref(link.id), label: turn.back },
    })}`;
}

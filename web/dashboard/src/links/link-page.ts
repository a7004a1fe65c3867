import type { OneTimePaymentRecord } from '@cobro/contracts/one-time-payments.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { dialog, opener } from '../parts/dialog.ts';
import { actionForm } from '../parts/form.ts';
import { newsOf } from '../parts/news.ts';
import { notice } from '../parts/notice.ts';
import { amount, centavosIn, copyable, facts, written } from '../parts/small-parts.ts';
import { timeElement } from '../parts/time.ts';
import { partWords } from '../parts/words.ts';
import { paymentHref, statusBadge } from '../payments/payment-parts.ts';
import { type Content, type Frame, mayOperate } from '../shell/frame.ts';
import { linkBadge, linkHref, linkNotice, type LinkProblem } from './link-parts.ts';
import { sharePanel } from './share-link.ts';
import { linkWords, type LinkWords } from './link-words.ts';

/** A link as its merchant knows it. */
export type ShownLink = Omit<OneTimePaymentRecord, 'allowedTerms'> & { allowedTerms: readonly number[] };

export interface LinkView {
  link: ShownLink;
  /** Our own SVG element, with the address of its page. */
  qr: string;
  /** What the person has just done. */
  done: keyof LinkWords['done'] | null;
}

/** GET /links/{id} */
export function linkPage(frame: Frame, { link, qr, done }: LinkView): Content {
  const { language } = frame;
  const words = linkWords[language];
  const canBePaid = link.status === 'PENDING' && !link.expired;
  const mayCancel = canBePaid && mayOperate(frame);
  return {
    status: 200,
    title: words.detail.title,
    section: 'links',
    trail: { href: '/links', label: words.title },
    main: html`${done && notice(language, { kind: 'good', title: words.done[done] })}
      <div class="stack">
        <section class="panel summary">
          <p class="big">${amount(centavosIn(link.amount))} <span class="quiet">MXN</span> ${linkBadge(language, link)}</p>
          <p>${written(link.description)}</p>
        </section>
        ${canBePaid && sharePanel(language, { ...link, href: linkHref(link.id) }, qr)}
        ${factsPanel(language, link, words, mayCancel)}
      </div>
      ${newsOf({ of: { about: link.id }, shown: [link.status, String(link.expired), link.payment?.status ?? ''], href: linkHref(link.id), ...partWords[language].news.changedPage })}
      ${mayCancel && dialog({ id: 'dialog-cancel', title: words.cancel.title, content: cancelForm(frame, link.id) })}`,
  };
}

function factsPanel(language: Language, link: ShownLink, words: LinkWords, mayCancel: boolean): Html {
  const { detail, form } = words;
  const { payment } = link;
  const terms = link.allowedTerms.map((one) => (one === 1 ? form.single : form.months(one))).join(', ');
  return html`<section class="panel">
    <h2>${detail.facts}</h2>
    ${facts([
      [
        detail.payment,
        payment &&
          html`<a href="${paymentHref(payment.id)}">${payment.operationCode}</a> ${statusBadge(language, payment.status)}`,
      ],
      [detail.made, timeElement(language, link.createdAt)],
      [detail.expires, timeElement(language, link.expiresAt)],
      [detail.terms, terms],
      [detail.seller, link.salesperson && written(link.salesperson.name)],
      [detail.externalId, link.externalId && written(link.externalId)],
      [detail.id, copyable(language, link.id)],
    ])}
    ${
      mayCancel &&
      html`<p class="actions">${opener(`${linkHref(link.id)}/cancel`, 'dialog-cancel', words.cancel.title, 'second')}</p>`
    }
  </section>`;
}

export interface CancelView {
  link: Pick<ShownLink, 'id' | 'amount' | 'description'>;
  problem: LinkProblem | null;
}

/** GET, and refused POST /links/{id}/cancel */
export function cancelLinkPage(frame: Frame, { link, problem }: CancelView): Content {
  const { language } = frame;
  const { cancel, detail } = linkWords[language];
  return {
    status: problem === null ? 200 : problem.kind === 'lost' ? 502 : problem.status,
    title: cancel.title,
    section: 'links',
    trail: { href: linkHref(link.id), label: detail.title },
    main: html`${problem && notice(language, linkNotice(language, problem))}
      <div class="panel">
        <p class="big">${amount(centavosIn(link.amount))} <span class="quiet">MXN</span></p>
        <p class="explain">${written(link.description)}</p>
        ${cancelForm(frame, link.id)}
      </div>`,
  };
}

function cancelForm(frame: Frame, id: string): Html {
  const { cancel } = linkWords[frame.language];
  return html`<p class="explain">${cancel.explain}</p>
    ${actionForm(frame, {
      action: `${linkHref(id)}/cancel`,
      fields: [],
      button: cancel.button,
      kind: 'danger',
      back: { href: linkHref(id), label: cancel.back },
    })}`;
}

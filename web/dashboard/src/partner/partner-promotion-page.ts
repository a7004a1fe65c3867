import type { PartnerPromotion } from '@cobro/contracts/promotions.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import type { LinkProblem } from '../links/link-parts.ts';
import { dialog, opener } from '../parts/dialog.ts';
import { actionForm } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import { button, copyable, inFigures, signedPesos, written } from '../parts/small-parts.ts';
import { timeElement } from '../parts/time.ts';
import { endForm, numbersPanel, summaryPanel } from '../promotions/promotion-page.ts';
import {
  percent,
  promotionNotice,
  samplePanel,
  sampleSale,
  statusOf,
  termsFacts,
} from '../promotions/promotion-parts.ts';
import { promotionWords } from '../promotions/promotion-words.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { partnerPromotionHref } from './partner-promotions-page.ts';

export const partnerPromotionActions = ['accept', 'end'] as const;
export type PartnerPromotionAction = (typeof partnerPromotionActions)[number];

export interface PartnerPromotionView {
  promotion: PartnerPromotion;
  /** What the person has just done. */
  done: 'accepted' | 'ended' | null;
}

const isOwner = ({ acting }: Frame) => acting?.scope === 'partner' && acting.role === 'owner';

/** GET /partner/promotions/{id} */
export function partnerPromotionPage(frame: Frame, { promotion, done }: PartnerPromotionView): Content {
  const { language } = frame;
  const words = promotionWords[language];
  const { facts: labels, ofPartner } = words;
  const { id, status, productIds } = promotion;
  const href = partnerPromotionHref(id);
  const mayEnd = isOwner(frame) && status !== 'ENDED';
  const mayAccept = isOwner(frame) && status === 'PENDING';
  return {
    status: 200,
    title: words.one,
    section: 'partnerPromotions',
    trail: { href: '/partner/promotions', label: ofPartner.title },
    // Accepting has its own page, because the second factor may be needed first.
    ...(mayAccept && { action: button(`${href}/accept`, words.accept.title) }),
    main: html`${done && notice(language, { kind: 'good', title: words.done[done] })}
      <div class="stack">
        ${summaryPanel(language, promotion)}
        <div class="panels">${samplePanelOf(language, promotion)} ${numbersPanel(language, promotion)}</div>
        <section class="panel">
          <h2>${labels.title}</h2>
          ${termsFacts(language, promotion, productIds.length === 0 ? null : words.products(productIds.length), [
            [labels.organization, written(promotion.organization.name)],
            [labels.made, timeElement(language, promotion.createdAt)],
            [labels.id, copyable(language, id)],
          ])}
          ${mayEnd && html`<p class="actions">${opener(`${href}/end`, 'dialog-end', words.end.title, 'second')}</p>`}
          ${status === 'PENDING' && !mayAccept && html`<p class="quiet">${ofPartner.onlyOwner}</p>`}
        </section>
      </div>
      ${mayEnd && dialog({ id: 'dialog-end', title: words.end.title, content: endForm(frame, href) })}`,
  };
}

/** What a sale costs the sponsor, and what the sponsor gets. */
function samplePanelOf(language: Language, promotion: PartnerPromotion): Html {
  const { sample } = promotionWords[language];
  const { sale, fee, iva, take } = sampleSale(promotion);
  const { ofSponsor: words } = sample;
  const lines = [
    { label: `${words.fee} (${percent(promotion.feeDiscount)})`, amount: -fee },
    { label: words.iva, amount: -iva },
    { label: `${words.take} (${percent(promotion.businessTake)})`, amount: take },
    { label: words.total, amount: take - fee - iva, isLast: true },
  ];
  return samplePanel(sample.title(signedPesos(sale)), lines, sample.capOfSponsor);
}

export interface PartnerPromotionActionView {
  act: PartnerPromotionAction;
  promotion: PartnerPromotion;
  problem: LinkProblem | null;
}

/** GET, and refused POST /partner/promotions/{id}/{action} */
export function partnerPromotionActionPage(
  frame: Frame,
  { act, promotion, problem }: PartnerPromotionActionView,
): Content {
  const { language } = frame;
  const words = promotionWords[language];
  const href = partnerPromotionHref(promotion.id);
  return {
    status: statusOf(problem),
    title: words[act].title,
    section: 'partnerPromotions',
    trail: { href, label: words.one },
    main: html`${problem && notice(language, promotionNotice(language, problem))}
      <div class="panel">
        <p class="big"><strong>${written(promotion.name)}</strong></p>
        <p class="explain">${written(promotion.organization.name)}</p>
        ${act === 'end' ? endForm(frame, href) : acceptForm(frame, promotion)}
      </div>`,
  };
}

/** The form says before its button what accepting costs. */
function acceptForm(frame: Frame, promotion: PartnerPromotion): Html {
  const { language } = frame;
  const { accept, facts } = promotionWords[language];
  const { sale, fee, iva, take } = sampleSale(promotion);
  const { maxPayments, startsAt, endsAt } = promotion;
  const href = partnerPromotionHref(promotion.id);
  return html`<ul class="explain bullets">
      <li><strong>${accept.costs(signedPesos(sale), signedPesos(fee), signedPesos(iva))}</strong></li>
      ${take > 0n && html`<li>${accept.gets(signedPesos(take))}</li>`}
      <li>${maxPayments === null ? accept.noMost : accept.most(inFigures(maxPayments))}</li>
      <li>${facts.startsAt}: ${timeElement(language, startsAt)}. ${facts.endsAt}: ${timeElement(language, endsAt)}.</li>
      <li>${accept.endable}</li>
    </ul>
    ${actionForm(frame, {
      action: `${href}/accept`,
      fields: [],
      button: accept.button,
      back: { href, label: accept.back },
    })}`;
}

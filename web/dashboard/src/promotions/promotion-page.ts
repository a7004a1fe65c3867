import type { ShownPromotion } from '@cobro/contracts/promotions.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import type { LinkProblem } from '../links/link-parts.ts';
import { share } from '../parts/bars.ts';
import { dialog, opener } from '../parts/dialog.ts';
import { actionForm } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import { copyable, inFigures, signedPesos, written } from '../parts/small-parts.ts';
import { timeElement } from '../parts/time.ts';
import { productHref } from '../products/product-parts.ts';
import { type Content, type Frame, mayOperate } from '../shell/frame.ts';
import {
  percent,
  promotionBadge,
  promotionHref,
  promotionNotice,
  samplePanel,
  sampleSale,
  statusOf,
  termsFacts,
} from './promotion-parts.ts';
import { promotionWords } from './promotion-words.ts';

export interface PromotionView {
  promotion: ShownPromotion;
  /** Names of its first products, as far as they came in time. */
  productNames: ReadonlyMap<string, string>;
  /** What the person has just done. */
  done: 'created' | 'ended' | null;
}

/** GET /promotions/{id} */
export function promotionPage(frame: Frame, { promotion, productNames, done }: PromotionView): Content {
  const { language } = frame;
  const words = promotionWords[language];
  const mayEnd = mayOperate(frame) && promotion.status !== 'ENDED';
  const { pending, facts: labels } = words;
  return {
    status: 200,
    title: words.one,
    section: 'promotions',
    trail: { href: '/promotions', label: words.title },
    main: html`${done && notice(language, { kind: 'good', title: words.done[done] })}
      ${promotion.status === 'PENDING' && notice(language, { kind: 'wait', title: pending.title, text: pending.text(promotion.sponsor.name) })}
      <div class="stack">
        ${summaryPanel(language, promotion)}
        <div class="panels">${numbersPanel(language, promotion)} ${samplePanelOf(language, promotion)}</div>
        <section class="panel">
          <h2>${labels.title}</h2>
          ${termsFacts(language, promotion, productsOf(language, promotion, productNames), [
            [labels.sponsor, written(promotion.sponsor.name)],
            [labels.made, timeElement(language, promotion.createdAt)],
            [labels.externalId, promotion.externalId && written(promotion.externalId)],
            [labels.id, copyable(language, promotion.id)],
          ])}
          ${mayEnd && html`<p class="actions">${opener(`${promotionHref(promotion.id)}/end`, 'dialog-end', words.end.title, 'second')}</p>`}
        </section>
      </div>
      ${mayEnd && dialog({ id: 'dialog-end', title: words.end.title, content: endForm(frame, promotionHref(promotion.id)) })}`,
  };
}

/** The promotion's name and status. */
export function summaryPanel(language: Language, promotion: Pick<ShownPromotion, 'name' | 'status'>): Html {
  return html`<section class="panel summary">
    <p class="big"><strong>${written(promotion.name)}</strong> ${promotionBadge(language, promotion.status)}</p>
  </section>`;
}

/** How many payments carry it, and its limit. */
export function numbersPanel(
  language: Language,
  { paymentsCount, maxPayments }: Pick<ShownPromotion, 'paymentsCount' | 'maxPayments'>,
): Html {
  const { numbers } = promotionWords[language];
  return html`<section class="panel">
    <h2>${numbers.title}</h2>
    <p class="big"><span class="number">${numbers.count(inFigures(paymentsCount), paymentsCount === 1)}</span></p>
    <p>${maxPayments === null ? numbers.noMost : html`${numbers.ofMost(inFigures(maxPayments))} ${share(paymentsCount, maxPayments)}`}</p>
    <p class="quiet small">${numbers.counted}</p>
  </section>`;
}

function samplePanelOf(language: Language, promotion: ShownPromotion): Html {
  const { sample } = promotionWords[language];
  const { sale, fee, iva, take } = sampleSale(promotion);
  const { ofMerchant: words } = sample;
  const lines = [
    { label: `${words.fee} (${percent(promotion.feeDiscount)})`, amount: fee },
    { label: words.iva, amount: iva },
    { label: `${words.take} (${percent(promotion.businessTake)})`, amount: take },
  ];
  return samplePanel(sample.title(signedPesos(sale)), lines, sample.cap);
}

const SHOWN = 10;

function productsOf(
  language: Language,
  { productIds }: ShownPromotion,
  names: ReadonlyMap<string, string>,
): Html | null {
  if (productIds.length === 0) return null;
  const { products, otherProducts } = promotionWords[language];
  const known = productIds.filter((id) => names.has(id)).slice(0, SHOWN);
  const others = productIds.length - known.length;
  if (known.length === 0) return html`${products(productIds.length)}`;
  return html`${known.map((id, i) => html`${i > 0 && ', '}<a href="${productHref(id)}">${written(names.get(id) ?? '')}</a>`)}
  ${others > 0 && otherProducts(others)}`;
}

export interface EndPromotionView {
  promotion: Pick<ShownPromotion, 'id' | 'name' | 'status'>;
  problem: LinkProblem | null;
}

/** GET, and refused POST /promotions/{id}/end */
export function endPromotionPage(frame: Frame, { promotion, problem }: EndPromotionView): Content {
  const { language } = frame;
  const words = promotionWords[language];
  const href = promotionHref(promotion.id);
  return {
    status: statusOf(problem),
    title: words.end.title,
    section: 'promotions',
    trail: { href, label: words.one },
    main: html`${problem && notice(language, promotionNotice(language, problem))}
      <div class="panel">
        <p class="big"><strong>${written(promotion.name)}</strong></p>
        ${endForm(frame, href)}
      </div>`,
  };
}

/** Ends the promotion whose page is at `href`. */
export function endForm(frame: Frame, href: string): Html {
  const { end } = promotionWords[frame.language];
  return html`<p class="explain">${end.explain}</p>
    ${actionForm(frame, {
      action: `${href}/end`,
      fields: [],
      button: end.button,
      kind: 'danger',
      back: { href, label: end.back },
    })}`;
}

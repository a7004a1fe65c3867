import { promotionStatuses, type ShownPromotion } from '@cobro/contracts/promotions.ts';
import { disburse } from '@cobro/domain/fees.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import type { LinkProblem } from '../links/link-parts.ts';
import { linkWords } from '../links/link-words.ts';
import type { NoticeView } from '../parts/notice.ts';
import { amount, badge, centavosIn, facts, type Tone, written } from '../parts/small-parts.ts';
import { timeElement } from '../parts/time.ts';
import { noticeOf } from '../payments/action-page.ts';
import { networkName } from '../payments/payment-parts.ts';
import { paymentWords } from '../payments/payment-words.ts';
import { promotionWords } from './promotion-words.ts';

export { promotionStatuses };
export type PromotionStatus = ShownPromotion['status'];

const tones: { [Name in PromotionStatus]: Tone } = {
  PENDING: 'wait',
  SCHEDULED: 'quiet',
  ACTIVE: 'good',
  ENDED: 'quiet',
};

export const promotionBadge = (language: Language, status: PromotionStatus): Html =>
  badge(tones[status], promotionWords[language].statuses[status]);

export const promotionHref = (id: string): string => `/promotions/${encodeURIComponent(id)}`;

/** "4.5 %", on one line. */
export const percent = (of: number): string => `${of}\u00A0%`;

/** A refusal as a notice, with what to do next. */
export function promotionNotice(language: Language, problem: LinkProblem): NoticeView {
  const { refusals } = promotionWords[language];
  const view = noticeOf(language, problem);
  if (problem.kind === 'lost') return { ...view, ...linkWords[language].lost };
  return { ...view, ...(Object.hasOwn(refusals, problem.code) ? refusals[problem.code] : {}) };
}

export const statusOf = (problem: LinkProblem | null): number =>
  problem === null ? 200 : problem.kind === 'lost' ? 502 : problem.status;

const SALE = 100_000n;

/**
 * Who gets what of a sale, in centavos, if the fee is at least the discount: the most that the sponsor may have to pay. The sale is of
 * 1,000.00, or of the promotion's minimum if that is more.
 */
export function sampleSale({ feeDiscount, businessTake, minimumAmount }: PromotionTerms) {
  const least = centavosIn(minimumAmount ?? 0);
  const sale = least > SALE ? least : SALE;
  const discount = Math.round(feeDiscount * 100);
  const rates = {
    feeBps: discount,
    promotionFeeDiscountBps: discount,
    promotionBusinessTakeBps: Math.round(businessTake * 100),
  };
  const {
    manufacturerFeeAmount: fee,
    manufacturerIvaFeeAmount: iva,
    promotionTakeAmount: take,
  } = disburse(sale, rates);
  return { sale, fee, iva, take };
}

interface SampleLine {
  label: string;
  /** Centavos. */
  amount: bigint;
  isLast?: boolean;
}

/** Who pays and gets what of a sale, line by line. */
export const samplePanel = (title: string, lines: readonly SampleLine[], hint: string): Html =>
  html`<section class="panel">
    <h2>${title}</h2>
    <ol class="stairs">
      ${lines.map(
        ({ label, amount: centavos, isLast }) =>
          html`<li${isLast && html` class="last"`}><span>${label}</span> ${amount(centavos)}</li>`,
      )}
    </ol>
    <p class="quiet small more">${hint}</p>
  </section>`;

/** A promotion's terms, without its merchant. */
export type PromotionTerms = Pick<
  ShownPromotion,
  | 'feeDiscount'
  | 'businessTake'
  | 'terms'
  | 'types'
  | 'networks'
  | 'issuingBanks'
  | 'productIds'
  | 'minimumAmount'
  | 'startsAt'
  | 'endsAt'
>;

/** For which payments it is, and how long. `products`: their names if known, else their number. */
export function termsFacts(
  language: Language,
  promotion: PromotionTerms,
  products: Html | string | null,
  others: Parameters<typeof facts>[0] = [],
): Html {
  const { facts: words, any } = promotionWords[language];
  const { types } = paymentWords[language];
  const { single, months } = linkWords[language].form;
  const orAny = (parts: readonly (Html | string)[]) =>
    parts.length === 0 ? any : html`${parts.map((part, i) => html`${i > 0 && ', '}${part}`)}`;
  return facts([
    [words.startsAt, timeElement(language, promotion.startsAt)],
    [words.endsAt, timeElement(language, promotion.endsAt)],
    [words.terms, orAny(promotion.terms.map((one) => (one === 1 ? single : months(one))))],
    [words.types, orAny(promotion.types.map((one) => types[one]))],
    [words.networks, orAny(promotion.networks.map(networkName))],
    [words.issuingBanks, orAny(promotion.issuingBanks.map(written))],
    [words.products, products ?? any],
    [words.minimumAmount, promotion.minimumAmount === null ? any : amount(centavosIn(promotion.minimumAmount))],
    ...others,
  ]);
}

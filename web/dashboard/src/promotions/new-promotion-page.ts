import { offeredTerms } from '@cobro/contracts/offered-terms.ts';
import { paymentTypes } from '@cobro/contracts/payment-fields.ts';
import { cardNetworks } from '@cobro/contracts/promotions.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { LinkProblem } from '../links/link-parts.ts';
import { linkWords } from '../links/link-words.ts';
import { actionForm, checks, field, missingChoice } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import { written } from '../parts/small-parts.ts';
import { networkName } from '../payments/payment-parts.ts';
import { paymentWords } from '../payments/payment-words.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { promotionNotice, statusOf } from './promotion-parts.ts';
import { promotionFormWords, type PromotionFormWords } from './promotion-form-words.ts';
import { promotionWords } from './promotion-words.ts';

export type PromotionField = keyof PromotionFormWords['errors'];
/** Fields that are typed; `chosenFields` are chosen. */
export const typedFields = [
  'name',
  'feeDiscount',
  'businessTake',
  'issuingBanks',
  'minimumAmount',
  'maxPayments',
  'startsAt',
  'endsAt',
  'externalId',
] as const;
export const chosenFields = ['terms', 'types', 'networks', 'productIds'] as const;

export interface NewPromotionView {
  /** The form's id: sent twice, it makes one promotion. */
  formId: string;
  /** As it was typed. */
  typed: { readonly [Name in (typeof typedFields)[number]]?: string };
  chosen: { readonly [Name in (typeof chosenFields)[number]]?: readonly string[] };
  /** On sale; null if they did not come in time. */
  products: readonly { id: string; name: string }[] | null;
  wrong: readonly PromotionField[];
  problem: LinkProblem | null;
}

/** GET, and refused POST /promotions/new */
export function newPromotionPage(frame: Frame, view: NewPromotionView): Content {
  const { language } = frame;
  const words = promotionWords[language];
  const form = promotionFormWords[language];
  const { formId, problem, wrong } = view;
  return {
    status: problem === null && wrong.length > 0 ? 400 : statusOf(problem),
    title: form.title,
    section: 'promotions',
    trail: { href: '/promotions', label: words.title },
    main: html`${problem && notice(language, promotionNotice(language, problem))}
      <div class="panel">
        <p class="explain">${words.explain}</p>
        ${actionForm(frame, {
          action: '/promotions/new',
          fields: html`<input type="hidden" name="formId" value="${formId}" />
            ${sharing(frame, view)} ${whoseFields(frame, view)} ${howMany(frame, view)}
            <p class="explain">${form.final}</p>`,
          button: form.button,
          back: { href: '/promotions', label: form.back },
        })}
      </div>`,
  };
}

type Given = Pick<NewPromotionView, 'typed' | 'wrong'>;
type More = Omit<Parameters<typeof field>[1], 'name' | 'label' | 'value' | 'error'>;

/** One of the fields that are typed. */
function typedField(frame: Frame, { typed, wrong }: Given, name: (typeof typedFields)[number], more: More): Html {
  const form = promotionFormWords[frame.language];
  const error = wrong.includes(name) ? form.errors[name] : undefined;
  return field(frame, { name, label: form[name], value: typed[name], error, ...more });
}

function sharing(frame: Frame, view: NewPromotionView): Html[] {
  const form = promotionFormWords[frame.language];
  const { feeDiscountHint, businessTakeHint } = form;
  const rate = { isOptional: true, isDecimal: true, maxlength: 6 };
  return [
    typedField(frame, view, 'name', { maxlength: 255 }),
    view.wrong.includes('nothing')
      ? html`<div class="field"><p class="error" role="alert">${form.errors.nothing}</p></div>`
      : html``,
    typedField(frame, view, 'feeDiscount', { hint: feeDiscountHint, ...rate }),
    typedField(frame, view, 'businessTake', { hint: businessTakeHint, ...rate }),
  ];
}

function whoseFields(frame: Frame, view: NewPromotionView): Html {
  const form = promotionFormWords[frame.language];
  const { types } = paymentWords[frame.language];
  const { single, months } = linkWords[frame.language].form;
  const { chosen, products } = view;
  const some = (name: (typeof chosenFields)[number], label: string, options: Parameters<typeof checks>[0]['options']) =>
    checks({ name, label, options, chosen: chosen[name] ?? [] });
  return html`<h2>${form.whose}</h2>
    <p class="explain quiet">${form.whoseHint}</p>
    ${some(
      'terms',
      form.terms,
      offeredTerms.map((terms) => [String(terms), terms === 1 ? single : months(terms)] as const),
    )}
    ${some(
      'types',
      form.types,
      paymentTypes.map((type) => [type, types[type]] as const),
    )}
    ${some(
      'networks',
      form.networks,
      cardNetworks.map((network) => [network, networkName(network)] as const),
    )}
    ${typedField(frame, view, 'issuingBanks', { hint: form.issuingBanksHint, isOptional: true })}
    ${productChecks(frame, products, chosen.productIds ?? [])}
    ${typedField(frame, view, 'minimumAmount', { isOptional: true, isAmount: true, maxlength: 15 })}`;
}

/** If none is chosen, a promotion is for all products. */
function productChecks(frame: Frame, products: NewPromotionView['products'], chosen: readonly string[]): Html | null {
  const { products: label, productsHint: hint } = promotionFormWords[frame.language];
  const name = 'productIds';
  if (products === null) return missingChoice(frame, { name, label, chosen });
  if (products.length === 0) return null;
  return checks({ name, label, hint, options: products.map((one) => [one.id, written(one.name)] as const), chosen });
}

function howMany(frame: Frame, view: NewPromotionView): Html[] {
  const form = promotionFormWords[frame.language];
  const at = { type: 'datetime-local', hint: form.timeHint } as const;
  return [
    typedField(frame, view, 'maxPayments', { hint: form.maxPaymentsHint, isOptional: true, maxlength: 9 }),
    typedField(frame, view, 'startsAt', at),
    typedField(frame, view, 'endsAt', at),
    typedField(frame, view, 'externalId', { hint: form.externalIdHint, isOptional: true, maxlength: 255 }),
  ];
}

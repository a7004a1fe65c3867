import type { PartnerPromotion, ShownPromotion } from '@cobro/contracts/promotions.ts';
import type { Language } from '@cobro/html/language.ts';
import {
  partnerPromotionActionPage,
  type PartnerPromotionActionView,
  partnerPromotionPage,
  type PartnerPromotionView,
} from '../src/partner/partner-promotion-page.ts';
import { partnerPromotionsPage, type PartnerPromotionsView } from '../src/partner/partner-promotions-page.ts';
import { newPromotionPage, type NewPromotionView } from '../src/promotions/new-promotion-page.ts';
import {
  endPromotionPage,
  type EndPromotionView,
  promotionPage,
  type PromotionView,
} from '../src/promotions/promotion-page.ts';
import { promotionsPage, type PromotionsView } from '../src/promotions/promotions-page.ts';
import type { Acting } from '../src/shell/frame.ts';
import type { Screen } from './payment-screens.ts';
import { ids, names, sampleFrame } from './sample-frame.ts';

const promotion: ShownPromotion = {
  id: ids.link,
  name: 'Buen Fin a seis meses',
  status: 'ACTIVE',
  feeDiscount: 4.5,
  businessTake: 1.25,
  terms: [6, 9],
  types: ['CARD_NOT_PRESENT'],
  networks: ['VISA', 'MASTERCARD'],
  issuingBanks: ['BBVA', names.hostile],
  productIds: [ids.payment, ids.card, ids.key],
  minimumAmount: 2_400,
  maxPayments: 1_000,
  paymentsCount: 412,
  sponsor: { id: ids.card, name: 'Ventas del Istmo' },
  startsAt: '2026-11-20T06:00:00.000Z',
  endsAt: '2026-12-01T05:59:00.000Z',
  externalId: 'buen-fin-26',
  createdAt: '2026-11-12T18:04:00.000Z',
  updatedAt: '2026-11-13T18:04:00.000Z',
};
const sponsored: PartnerPromotion = { ...promotion, organization: { id: ids.key, name: 'Café Tacuba' } };

const anything = { terms: [], types: [], networks: [], issuingBanks: [], productIds: [], minimumAmount: null };
const over: Partial<PartnerPromotion>[] = [
  {},
  { status: 'PENDING', name: names.hostile, paymentsCount: 0, maxPayments: null },
  { status: 'SCHEDULED', feeDiscount: 0, businessTake: 12.5, paymentsCount: 0 },
  { status: 'ENDED', name: names.long, paymentsCount: 1_000_000, maxPayments: 1_000_000 },
];
const products = [
  { id: ids.payment, name: 'Talavera azul' },
  { id: ids.card, name: names.long },
];

/** The screens of promotions, of a merchant and of its sales partner, by a name for tests and pictures. */
export function promotionScreens(language: Language): Record<string, Screen> {
  const list = (view: Partial<PromotionsView>, acting: Partial<Acting> = {}): Screen => {
    const frame = sampleFrame(language, '/promotions', acting);
    const found = { rows: over.map((one) => ({ ...promotion, ...one })), page: 1, hasMore: true };
    return { frame, content: promotionsPage(frame, { status: null, found, ...view }) };
  };
  const detail = (changed: Partial<PromotionView['promotion']>, done: PromotionView['done'] = null): Screen => {
    const frame = sampleFrame(language, `/promotions/${ids.link}`);
    const productNames = new Map(products.map(({ id, name }) => [id, name]));
    return { frame, content: promotionPage(frame, { promotion: { ...promotion, ...changed }, productNames, done }) };
  };
  const form = (view: Partial<NewPromotionView>): Screen => {
    const frame = sampleFrame(language, '/promotions/new');
    const empty = { formId: ids.key, typed: { startsAt: '2026-11-24T12:04' }, chosen: {}, products, wrong: [] };
    return { frame, content: newPromotionPage(frame, { ...empty, problem: null, ...view }) };
  };
  const end = (problem: EndPromotionView['problem']): Screen => {
    const frame = sampleFrame(language, `/promotions/${ids.link}/end`);
    return { frame, content: endPromotionPage(frame, { promotion, problem }) };
  };
  const nothing = { rows: [], page: 1, hasMore: false };
  return {
    promotions: list({}),
    'promotions-read-only': list({ status: 'ACTIVE' }, { role: 'read-only' }),
    'promotions-first': list({ found: nothing }),
    'promotions-none': list({ status: 'PENDING', found: nothing }),
    'promotions-unavailable': list({ found: null }),
    'promotions-new': form({}),
    'promotions-new-wrong': form({
      typed: { name: names.hostile, feeDiscount: '21', businessTake: 'x', issuingBanks: names.long, endsAt: '' },
      chosen: { terms: ['6', '9'], networks: ['VISA'], productIds: [ids.card] },
      wrong: [
        'name',
        'feeDiscount',
        'businessTake',
        'issuingBanks',
        'minimumAmount',
        'maxPayments',
        'startsAt',
        'endsAt',
        'externalId',
      ],
    }),
    'promotions-new-nothing': form({ typed: { name: 'Buen Fin' }, products: [], wrong: ['nothing', 'endsAt'] }),
    'promotions-new-no-sponsor': form({
      typed: { name: 'Buen Fin', feeDiscount: '4.5' },
      products: null,
      problem: { kind: 'refused', code: 'PROMOTION_SPONSOR_MISSING', status: 409, requestId: ids.key },
    }),
    promotion: detail({}),
    'promotion-pending': detail({ status: 'PENDING', paymentsCount: 0, maxPayments: null, ...anything }, 'created'),
    'promotion-ended': detail({ status: 'ENDED', name: names.long, feeDiscount: 0, paymentsCount: 1 }, 'ended'),
    'promotion-end': end(null),
    'promotion-end-lost': end({ kind: 'lost', requestId: ids.key }),
    ...partnerPromotionScreens(language),
  };
}

function partnerPromotionScreens(language: Language): Record<string, Screen> {
  const acting = { scope: 'partner', role: 'owner', scopeName: 'Ventas del Istmo' } as const;
  const list = (view: Partial<PartnerPromotionsView>): Screen => {
    const frame = sampleFrame(language, '/partner/promotions', acting);
    const found = { rows: over.map((one) => ({ ...sponsored, ...one })), page: 2, hasMore: true };
    return { frame, content: partnerPromotionsPage(frame, { status: null, found, ...view }) };
  };
  const detail = (
    changed: Partial<PartnerPromotion>,
    done: PartnerPromotionView['done'] = null,
    as: Partial<Acting> = {},
  ): Screen => {
    const frame = sampleFrame(language, `/partner/promotions/${ids.link}`, { ...acting, ...as });
    return { frame, content: partnerPromotionPage(frame, { promotion: { ...sponsored, ...changed }, done }) };
  };
  const action = (
    act: PartnerPromotionActionView['act'],
    changed: Partial<PartnerPromotion>,
    problem: PartnerPromotionActionView['problem'] = null,
  ): Screen => {
    const frame = sampleFrame(language, `/partner/promotions/${ids.link}/${act}`, acting);
    return {
      frame,
      content: partnerPromotionActionPage(frame, { act, promotion: { ...sponsored, ...changed }, problem }),
    };
  };
  const ended = { kind: 'refused', code: 'PROMOTION_ENDED', status: 409, requestId: ids.key } as const;
  const nothing = { rows: [], page: 1, hasMore: false };
  return {
    'partner-promotions': list({}),
    'partner-promotions-first': list({ found: nothing }),
    'partner-promotions-none': list({ status: 'PENDING', found: nothing }),
    'partner-promotions-unavailable': list({ found: null }),
    'partner-promotion': detail({}, 'accepted'),
    'partner-promotion-pending': detail({ status: 'PENDING', ...anything, paymentsCount: 0, maxPayments: null }),
    'partner-promotion-pending-viewer': detail({ status: 'PENDING', name: names.hostile }, null, { role: 'viewer' }),
    'partner-promotion-accept': action('accept', { status: 'PENDING' }),
    'partner-promotion-accept-any': action('accept', { ...anything, maxPayments: null, businessTake: 0 }, ended),
    'partner-promotion-end': action('end', { name: names.long }),
  };
}

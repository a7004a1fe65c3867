import { html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { newPaymentLinkPage, type NewPaymentLinkView } from '../src/payment-links/new-payment-link-page.ts';
import {
  paymentLinkPage,
  type PaymentLinkView,
  type ShownPaymentLink,
  switchPaymentLinkPage,
  type SwitchView,
} from '../src/payment-links/payment-link-page.ts';
import {
  type PaymentLinkRow,
  paymentLinksPage,
  type PaymentLinksView,
} from '../src/payment-links/payment-links-page.ts';
import type { Acting } from '../src/shell/frame.ts';
import type { Screen } from './payment-screens.ts';
import { ids, names, sampleFrame } from './sample-frame.ts';

const link: ShownPaymentLink = {
  id: ids.link,
  status: 'ACTIVE',
  active: true,
  description: 'Clase de yoga, sábado',
  amount: 350,
  currency: 'MXN',
  product: { id: ids.payment, name: 'Clase de yoga' },
  allowedTerms: [1, 3, 18],
  maxPayments: 40,
  paymentsCount: 12,
  expiresAt: '2026-12-01T18:04:00.000Z',
  salesperson: null,
  redirectUrl: null,
  homepageUrl: null,
  externalId: 'yoga-7',
  checkoutUrl: `https://pago.cafe-tacuba.example/checkout/${ids.link}`,
  createdAt: '2026-11-24T18:04:00.000Z',
  updatedAt: '2026-11-24T18:04:00.000Z',
};

const row = (over: Partial<PaymentLinkRow>): PaymentLinkRow => ({ ...link, ...over });
const rows: PaymentLinkRow[] = [
  row({}),
  row({ status: 'SOLD_OUT', amount: 89_999.99, paymentsCount: 40, description: names.hostile }),
  row({ status: 'EXPIRED', amount: 0.01, maxPayments: null, paymentsCount: 0 }),
  row({
    status: 'INACTIVE',
    amount: 999_999_999.99,
    paymentsCount: 999_999,
    maxPayments: 1_000_000,
    description: names.long,
  }),
];

const products = [
  { id: ids.payment, name: 'Clase de yoga', price: 350 },
  { id: ids.card, name: names.long, price: 999_999_999.99 },
];
const sellers = [{ id: ids.person, name: 'Lucía Ramos' }];

const qr =
  html`<svg viewBox="0 0 33 33"><path fill="#fff" d="M0 0h33v33H0z"/><path d="M4 4h7v7H4zM22 4h7v7h-7zM4 22h7v7H4zM13 13h7v7h-7z"/></svg>`.toString();

/** The screens of payment links, by a name for tests and pictures. */
export function paymentLinkScreens(language: Language): Record<string, Screen> {
  const list = (view: PaymentLinksView, acting: Partial<Acting> = {}): Screen => {
    const frame = sampleFrame(language, '/payment-links', acting);
    return { frame, content: paymentLinksPage(frame, view) };
  };
  const payments = [
    { id: ids.payment, status: 'CONFIRMED', amount: 350, createdAt: '2026-11-25T17:00:00.000Z' },
    { id: ids.link, status: 'CANCELLED', amount: 380.5, createdAt: '2026-11-25T16:00:00.000Z' },
  ] as const;
  const detail = (over: Partial<ShownPaymentLink>, view: Partial<PaymentLinkView> = {}): Screen => {
    const frame = sampleFrame(language, `/payment-links/${ids.link}`);
    return {
      frame,
      content: paymentLinkPage(frame, { link: { ...link, ...over }, payments, qr, done: null, ...view }),
    };
  };
  const form = (over: Partial<NewPaymentLinkView>): Screen => {
    const frame = sampleFrame(language, '/payment-links/new');
    const view = { formId: ids.key, typed: { terms: [1] }, products, sellers, wrong: [], problem: null, ...over };
    return { frame, content: newPaymentLinkPage(frame, view) };
  };
  const turn = (active: boolean, problem: SwitchView['problem'] = null): Screen => {
    const frame = sampleFrame(language, `/payment-links/${ids.link}/${active ? 'off' : 'on'}`);
    return { frame, content: switchPaymentLinkPage(frame, { link: { ...link, active }, problem }) };
  };
  const nothing = { rows: [], page: 1, hasMore: false };
  return {
    'payment-links': list({ status: null, found: { rows, page: 1, hasMore: true } }),
    'payment-links-read-only': list(
      { status: 'ACTIVE', found: { rows, page: 2, hasMore: false } },
      { role: 'read-only' },
    ),
    'payment-links-first': list({ status: null, found: nothing }),
    'payment-links-none': list({ status: 'SOLD_OUT', found: nothing }),
    'payment-links-unavailable': list({ status: null, found: null }),
    'payment-links-new': form({}),
    'payment-links-new-wrong': form({
      typed: { amount: names.formula, description: names.hostile, maxPayments: '0', terms: [18] },
      wrong: ['amount', 'description', 'maxPayments', 'expiresAt'],
    }),
    'payment-links-new-used': form({
      typed: { amount: '350.00', description: 'Pan', terms: [1] },
      products: null,
      sellers: null,
      problem: { kind: 'refused', code: 'FORM_USED', status: 409, requestId: ids.key },
    }),
    'payment-link': detail({}, { done: 'created' }),
    'payment-link-off': detail(
      { status: 'INACTIVE', active: false, description: names.long },
      { done: 'off', payments: [] },
    ),
    'payment-link-sold-out': detail(
      { status: 'SOLD_OUT', product: null, description: names.hostile },
      { payments: null },
    ),
    'payment-link-switch-off': turn(true),
    'payment-link-switch-on': turn(false, { kind: 'lost', requestId: ids.key }),
  };
}

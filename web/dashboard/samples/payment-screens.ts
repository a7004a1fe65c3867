import type { PaymentRecord, TimelineOperation } from '@cobro/contracts/payment-timeline.ts';
import type { Language } from '@cobro/html/language.ts';
import { actionPage, type ActionView } from '../src/payments/action-page.ts';
import { paymentPage, type PaymentView } from '../src/payments/payment-page.ts';
import { type PaymentRow, paymentsPage, type PaymentsView } from '../src/payments/payments-page.ts';
import type { Content, Frame } from '../src/shell/frame.ts';
import { ids, names, sampleFrame } from './sample-frame.ts';

export interface Screen {
  frame: Frame;
  content: Content;
}

const row = (over: Partial<PaymentRow>): PaymentRow => ({
  id: ids.payment,
  status: 'CONFIRMED',
  amount: 1250.5,
  createdAt: '2026-11-24T18:04:09.000Z',
  operationCode: 100_482,
  oneTimePaymentId: null,
  paymentLinkId: null,
  subscriptionId: null,
  paymentIntentId: null,
  externalId: 'pedido-482',
  card: { network: 'VISA', lastFourDigits: '4242' },
  ...over,
});

export const rows: PaymentRow[] = [
  row({}),
  row({ status: 'HELD', amount: 89_999.99, operationCode: 100_481, externalId: null, oneTimePaymentId: null }),
  row({
    status: 'CANCELLED',
    amount: 0.01,
    operationCode: 100_480,
    oneTimePaymentId: ids.link,
    externalId: names.hostile,
  }),
  row({
    status: 'REFUNDED',
    amount: 300,
    operationCode: 100_479,
    paymentIntentId: ids.link,
    externalId: names.formula,
  }),
  row({ status: 'HOLD_RELEASED', amount: 999_999_999.99, operationCode: 100_478, externalId: 'x'.repeat(255) }),
  row({ status: 'HOLD_EXPIRED', operationCode: 100_477, card: { network: 'AMEX', lastFourDigits: '0005' } }),
];

const newerRows = [row({ id: ids.key, operationCode: 100_483 }), ...rows];

const approved: TimelineOperation = {
  id: ids.key,
  purpose: 'HOLD',
  outcome: 'APPROVED',
  amount: 1250.5,
  reason: null,
  askedAt: '2026-11-24T18:04:08.120Z',
  askedBy: { kind: 'key', id: ids.key },
  silentAt: null,
  inquiries: 0,
  settledAt: '2026-11-24T18:04:09.000Z',
  bankTime: '2026-11-24T18:04:08.900Z',
  declineCode: null,
  bankReference: 'ref-000192837465',
};

const held: PaymentRecord = {
  id: ids.payment,
  status: 'HELD',
  amount: 1250.5,
  currency: 'MXN',
  heldAmount: 1250.5,
  externalId: 'pedido-482',
  createdAt: '2026-11-24T18:04:08.000Z',
  heldAt: '2026-11-24T18:04:09.000Z',
  capturedAt: null,
  holdReleasedAt: null,
  holdExpiresAt: '2026-12-01T05:00:00.000Z',
  holdExpired: false,
  holdDaysRemaining: 7,
  type: 'CARD_NOT_PRESENT',
  source: 'SAVED_CARD',
  description: 'Renta de coche, tres días',
  operationCode: 100_482,
  terms: 1,
  declineCode: null,
  refundedAt: null,
  card: { lastFourDigits: '4242', network: 'VISA', fundingSource: 'CREDIT', issuingBank: 'BANCO DE PRUEBA' },
  customer: { firstName: 'Luis', lastName: 'Peña', email: 'luis@example.com', phoneNumber: '55 1234 5678' },
  paymentMethodId: ids.card,
  oneTimePaymentId: null,
  paymentLinkId: null,
  subscriptionId: null,
  paymentIntentId: null,
  terminalId: null,
  salespersonId: null,
  branchId: null,
  promotionId: null,
};

const steps: NonNullable<PaymentView['disbursement']>['steps'] = [
  { step: 'AMOUNT', amount: 1250.5, left: 1250.5, formula: null },
  { step: 'FEE', amount: -37.52, left: 1212.98, formula: '1,250.50 × (3.50 % − 0.50 %) = 37.52' },
  { step: 'FEE_IVA', amount: -6, left: 1206.98, formula: '37.52 × 16.00 % = 6.00' },
  { step: 'PROMOTION', amount: -12.51, left: 1194.47, formula: '1,250.50 × 1.00 % = 12.51' },
  { step: 'TAKE', amount: 1194.47, left: 1194.47, formula: null },
];

const shares: NonNullable<PaymentView['disbursement']>['shares'] = [
  { share: 'FEE', merchant: 37.52, sponsor: 6.25, total: 43.77, formula: '3.00 % + 0.50 %' },
  { share: 'FEE_IVA', merchant: 6, sponsor: 1, total: 7, formula: '16.00 %' },
  { share: 'PROMOTION', merchant: -12.51, sponsor: 12.51, total: 0, formula: '1.00 %' },
  { share: 'TAKE', merchant: 1194.47, sponsor: 5.26, total: 1199.73, formula: null },
];

const withoutPromotion: typeof steps = [
  ...steps.slice(0, 3),
  { step: 'TAKE', amount: 1206.98, left: 1206.98, formula: null },
];

const refunded: Partial<PaymentView> = {
  payment: {
    ...held,
    status: 'REFUNDED',
    heldAmount: null,
    heldAt: null,
    holdExpiresAt: null,
    source: 'ONE_TIME_PAYMENT',
    paymentMethodId: null,
    oneTimePaymentId: ids.link,
    promotionId: ids.key,
  },
  promotionName: 'Buen Fin a seis meses',
  operations: [
    { ...approved, purpose: 'CHARGE', askedBy: null },
    {
      ...approved,
      purpose: 'REFUND',
      amount: null,
      reason: 'El cliente no vino; se devuelve completo.',
      askedBy: { kind: 'person', id: ids.person },
      silentAt: '2026-11-24T19:00:08.000Z',
      inquiries: 3,
    },
  ],
  names: { [ids.person]: 'Ana Torres' },
  disbursement: { steps, shares, refundedAt: '2026-11-24T19:00:09.000Z' },
};

const hostile: Partial<PaymentView> = {
  complete: false,
  payment: {
    ...held,
    status: 'CANCELLED',
    declineCode: 'insufficient_funds',
    description: names.long,
    externalId: names.hostile,
    amount: 999_999_999.99,
    heldAmount: null,
    terms: 12,
    card: { ...held.card, issuingBank: names.long },
    customer: {
      firstName: names.formula,
      lastName: names.hostile,
      email: `${'a'.repeat(80)}@example.com`,
      phoneNumber: null,
    },
  },
  operations: [{ ...approved, outcome: 'DECLINED', declineCode: 'insufficient_funds', reason: names.hostile }],
  names: { [ids.key]: names.hostile },
};

const nobody = { firstName: null, lastName: null, email: null, phoneNumber: null };

const sellers = {
  salespersonId: [{ id: ids.person, name: 'Ana Torres' }],
  branchId: [
    { id: ids.key, name: names.hostile },
    { id: ids.link, name: names.long },
  ],
};

function listScreen(language: Language, view: Omit<PaymentsView, 'sellers'>, address = '/payments'): Screen {
  const frame = sampleFrame(language, address);
  const shown = view.found.kind === 'unavailable' ? null : sellers;
  return { frame, content: paymentsPage(frame, { sellers: shown, ...view }) };
}

/** The screens of payments, by a name for tests and pictures. */
export function paymentScreens(language: Language): Record<string, Screen> {
  const list = (view: Omit<PaymentsView, 'sellers'>, address?: string) => listScreen(language, view, address);
  const detail = (over: Partial<PaymentView>, acting: Parameters<typeof sampleFrame>[2] = {}): Screen => {
    const frame = sampleFrame(language, `/payments/${ids.payment}`, acting);
    const view = {
      payment: held,
      complete: true,
      operations: [approved],
      names: {},
      disbursement: null,
      promotionName: null,
      done: null,
      ...over,
    };
    return { frame, content: paymentPage(frame, view) };
  };
  const found = { kind: 'rows', rows, nextCursor: 'bmV4dA', isFirstPage: false } as const;
  const nothing = { ...found, rows: [], nextCursor: null, isFirstPage: true };
  const filters = {
    q: '',
    status: 'HELD',
    from: '2026-11-01',
    to: names.hostile,
    source: 'PAYMENT_INTENT',
    terms: '18',
    amountFrom: '100.00',
    amountTo: '999999999.99',
    issuingBank: 'Banco Santander',
    branchId: ids.key,
  };
  return {
    payments: list({ filters: {}, found: { ...found, isFirstPage: true } }),
    'payments-newer': list({ filters: {}, found: { ...found, rows: newerRows, isFirstPage: true } }),
    'payments-filtered': list({ filters, found }, '/payments?status=HELD'),
    'payments-none': list({ filters, found: nothing }),
    'payments-first': list({ filters: {}, found: nothing }),
    'payments-card-number': list({ filters: {}, found: { kind: 'card-number' } }),
    'payments-unavailable': list({ filters: {}, found: { kind: 'unavailable' } }),
    payment: detail({}),
    'payment-waiting': detail({
      payment: { ...held, status: 'PENDING', heldAmount: null, holdExpiresAt: null, customer: nobody },
      operations: [
        {
          ...approved,
          outcome: 'OPEN',
          settledAt: null,
          bankReference: null,
          inquiries: 1,
          silentAt: approved.settledAt,
        },
      ],
    }),
    'payment-confirmed': detail({
      payment: { ...held, status: 'CONFIRMED', heldAmount: null, holdExpiresAt: null },
      disbursement: { steps: withoutPromotion, shares: [], refundedAt: null },
    }),
    'payment-refunded': detail({ ...refunded, done: 'refund' }),
    'payment-hostile': detail(hostile, {
      scopeName: names.long,
      email: `${'b'.repeat(60)}@example.com`,
      role: 'read-only',
    }),
    ...actionScreens(language),
  };
}

function actionScreens(language: Language): Record<string, Screen> {
  const action = (view: Omit<ActionView, 'payment'>): Screen => {
    const frame = sampleFrame(language, `/payments/${ids.payment}/${view.action}`);
    return {
      frame,
      content: actionPage(frame, { ...view, payment: { id: ids.payment, operationCode: 100_482, amount: 1250.5 } }),
    };
  };
  return {
    capture: action({ action: 'capture', typed: {}, problem: null }),
    'capture-wrong-amount': action({
      action: 'capture',
      typed: { amount: names.hostile },
      problem: { kind: 'wrong-amount' },
    }),
    'capture-closed': action({
      action: 'capture',
      typed: { amount: '1' },
      problem: { kind: 'refused', code: 'HOLD_WINDOW_CLOSED', status: 409, requestId: ids.key },
    }),
    release: action({ action: 'release', typed: {}, problem: null }),
    refund: action({ action: 'refund', typed: {}, problem: null }),
    'refund-in-progress': action({
      action: 'refund',
      typed: { reason: names.hostile },
      problem: { kind: 'refused', code: 'REFUND_IN_PROGRESS', status: 409, requestId: ids.key },
    }),
    'refund-lost': action({ action: 'refund', typed: {}, problem: { kind: 'lost', requestId: ids.key } }),
  };
}

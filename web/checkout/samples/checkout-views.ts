import type { CheckoutView, FormProblem, FormView, Merchant } from '../src/checkout-view.ts';
import type { Language } from '@cobro/html/language.ts';

const ID = '01934d2c-6b1e-7a40-9c35-5f0c8a1b2d3e';

const cafe: Merchant = { name: 'Café Tacuba', color: '#7a3e1d' };
const names = {
  long: 'Comercializadora Internacional de Artesanías y Textiles Tradicionales del Sureste Mexicano, S.A. de C.V.',
  hostile: "\"><script>alert(1)</script><img src=x onerror=alert(2)> \u202Eofer\u202C & 'Hijos'",
};

const values = {
  expiry: '08/29',
  holderName: 'Ana Torres',
  email: 'ana@example.com',
  firstName: 'Ana',
  lastName: 'Torres',
};

function formView(language: Language, over: Partial<FormView> = {}): FormView {
  return {
    state: 'form',
    language,
    id: ID,
    attempt: null,
    merchant: cafe,
    homepageUrl: 'https://cafe-tacuba.example/',
    payment: {
      amount: 125_050n,
      description: 'Cena para dos, sábado 21 de noviembre',
      expiresAt: new Date('2026-11-22T02:30:00Z'),
    },
    allowedTerms: [1, 3, 6, 12],
    token: 'eyJ0b2tlbiI6InRlc3QifQ.c2lnbmF0dXJl',
    values: {},
    problem: null,
    now: new Date('2026-11-21T18:00:00Z'),
    encrypted: true,
    ...over,
  };
}

const problems: { [Kind in Exclude<FormProblem['kind'], 'errors'>]: FormProblem } = {
  declined: { kind: 'declined', declineCode: 'insufficient_funds' },
  'too-many-attempts': { kind: 'too-many-attempts', retryAfterSeconds: 400 },
  'bank-unavailable': { kind: 'bank-unavailable' },
  'terms-not-available': { kind: 'terms-not-available' },
  'card-not-accepted': { kind: 'card-not-accepted' },
  'amount-changed': { kind: 'amount-changed' },
  'in-progress': { kind: 'in-progress' },
  'stale-page': { kind: 'stale-page' },
};

const everyError: FormProblem = {
  kind: 'errors',
  errors: {
    number: 'invalid',
    expiry: 'expired',
    cvc: 'required',
    holderName: 'cardNumber',
    terms: 'invalid',
    email: 'invalid',
    lastName: 'required',
    zip: 'invalid',
  },
};

/** Every page that the checkout can show, by a name for tests and pictures. */
export function checkoutViews(language: Language): Record<string, CheckoutView> {
  const common = { language, id: ID, attempt: null, merchant: cafe, homepageUrl: 'https://cafe-tacuba.example/' };
  const { payment } = formView(language);
  return {
    form: formView(language),
    'form-bare': formView(language, {
      merchant: { name: 'Nube', color: '#ffe14d' },
      homepageUrl: null,
      payment: { ...payment, description: '', amount: 9_999_999_999_9n },
      allowedTerms: [1],
      encrypted: false,
    }),
    'form-long': formView(language, {
      merchant: { name: names.long, color: '#0b1020' },
      payment: {
        ...payment,
        description: `${'Anticipo de un pedido muy detallado, con muchas piezas. '.repeat(8)}${'x'.repeat(60)}`,
      },
    }),
    'form-hostile': formView(language, {
      merchant: { name: names.hostile, color: '#fff;}body{display:none' },
      homepageUrl: 'javascript:alert(3)',
      payment: { ...payment, description: '</p><style>body{display:none}</style>' },
      token: '"><script>alert(4)</script>',
      values: { holderName: '"><script>alert(5)</script>', email: '" onfocus="alert(6)" autofocus="' },
    }),
    errors: formView(language, {
      values: { ...values, expiry: '01/20', zip: '0'.repeat(21), terms: '3' },
      problem: everyError,
    }),
    ...Object.fromEntries(
      Object.entries(problems).map(([name, problem]) => [
        name,
        formView(language, { values, problem, attempt: 'att-1' }),
      ]),
    ),
    confirming: { ...common, state: 'confirming', attempt: 'att-1', payment },
    paid: {
      ...common,
      state: 'paid',
      attempt: 'att-1',
      payment: {
        ...payment,
        operationCode: 100_482,
        paidAt: new Date('2026-11-21T18:04:09Z'),
        terms: 3,
        card: { lastFourDigits: '4242', network: 'VISA' },
      },
      redirectUrl: 'https://cafe-tacuba.example/gracias?pedido=482',
    },
    'already-paid': { ...common, state: 'already-paid' },
    cancelled: { ...common, state: 'cancelled' },
    expired: { ...common, state: 'expired', merchant: { name: names.long, color: '#0e8a7d' } },
    inactive: { ...common, state: 'inactive' },
    'sold-out': { ...common, state: 'sold-out' },
    'foreign-origin': { ...common, state: 'foreign-origin' },
    'not-found': { state: 'not-found', language, id: ID },
    unavailable: { state: 'unavailable', language, id: ID },
  };
}

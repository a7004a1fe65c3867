import type { OutwardDataOf, OutwardIntent, OutwardPayment, OutwardType } from './outward-events.ts';

const DAY_MS = 86_400_000;
const AN_ID = '00000000-0000-7000-8000-000000000000';

const payment = (id: string, at: string): OutwardPayment => ({
  id,
  status: 'CONFIRMED',
  amount: 1250.5,
  currency: 'MXN',
  createdAt: at,
  operationCode: 100_001,
  type: 'CARD_NOT_PRESENT',
  source: 'SAVED_CARD',
  externalId: 'order-1001',
  fee: 2.5,
  promotionId: null,
  terms: 1,
  paidTerms: 1,
  periodicity: null,
  financingMethod: 'PAY_NOW',
  refundedAt: null,
  heldAmount: null,
  heldAt: null,
  capturedAt: null,
  holdReleasedAt: null,
  holdExpiresAt: null,
  captureBefore: null,
  holdExpired: false,
  holdDaysRemaining: null,
  card: { lastFourDigits: '4242', network: 'VISA', fundingSource: 'CREDIT', issuingBank: 'BANCO DE PRUEBA' },
  customer: { firstName: 'Ana', lastName: 'Torres', email: 'ana@example.com', phoneNumber: null },
  paymentLinkId: null,
  subscriptionId: null,
  oneTimePaymentId: null,
  paymentMethodId: AN_ID,
  paymentIntentId: null,
});

const hold = (id: string, at: string, expiresAt: string): OutwardPayment => ({
  ...payment(id, at),
  status: 'HELD',
  paidTerms: 0,
  heldAmount: 1250.5,
  heldAt: at,
  holdExpiresAt: expiresAt,
  holdDaysRemaining: 7,
});
const ended = { holdDaysRemaining: null };

const link = (id: string, at: string, expiresAt: string): OutwardDataOf<'one_time_payment.paid'> => ({
  id,
  status: 'PENDING',
  description: 'Dos boletos',
  amount: 1499,
  currency: 'MXN',
  externalId: 'booking-7',
  expiresAt,
  redirectUrl: null,
  homepageUrl: null,
  allowedTerms: [1],
  createdAt: at,
  updatedAt: at,
  billingInformation: null,
});

const paymentLink = (id: string, at: string, expiresAt: string): OutwardDataOf<'payment_link.sold_out'> => ({
  id,
  status: 'SOLD_OUT',
  active: true,
  description: 'Clase de yoga',
  amount: 350,
  currency: 'MXN',
  product: null,
  allowedTerms: [1],
  maxPayments: 12,
  paymentsCount: 12,
  expiresAt,
  redirectUrl: null,
  homepageUrl: null,
  salesperson: null,
  externalId: 'class-7',
  createdAt: at,
  updatedAt: at,
});

const product = (id: string, at: string): OutwardDataOf<'product.out_of_stock'> => ({
  id,
  name: 'Talavera',
  description: null,
  price: 4799,
  currency: 'MXN',
  status: 'ACTIVE',
  stock: 0,
  externalId: 'sku-7',
  createdAt: at,
  updatedAt: at,
});

const promotion = (id: string, at: string, endsAt: string): OutwardDataOf<'promotion.accepted'> => ({
  id,
  name: 'Buen Fin',
  status: 'ACTIVE',
  feeDiscount: 4.5,
  businessTake: 1.25,
  terms: [6],
  types: [],
  networks: [],
  issuingBanks: [],
  productIds: [],
  minimumAmount: null,
  maxPayments: 1000,
  paymentsCount: 0,
  sponsor: { id: AN_ID, name: 'Fabricante' },
  startsAt: at,
  endsAt,
  externalId: 'buen-fin',
  createdAt: at,
  updatedAt: at,
});

const intent = (id: string, at: string): OutwardIntent => ({
  id,
  status: 'CANCELLED',
  amount: 185.5,
  currency: 'MXN',
  externalId: 'ticket-1',
  redirectAppId: null,
  terminalId: AN_ID,
  createdAt: at,
  updatedAt: at,
  expired: false,
  supersededBy: null,
  paymentSummary: null,
});

const method = (id: string, at: string): OutwardDataOf<'payment_method.saved'> => ({
  id,
  status: 'ACTIVE',
  externalId: 'ana',
  card: { lastFourDigits: '4242', networkType: 'VISA' },
  createdAt: at,
});

const subscription = (id: string, at: string, nextAt: string): OutwardDataOf<'subscription.created'> => ({
  id,
  status: 'ACTIVE',
  description: 'Plan mensual',
  paymentMethodId: AN_ID,
  product: null,
  amount: 199,
  currency: 'MXN',
  periodicity: 'MONTHLY',
  firstBillingDate: at.slice(0, 10),
  totalPeriods: null,
  cancelAtPeriodEnd: false,
  currentPeriod: { number: 2, startsOn: at.slice(0, 10), endsOn: nextAt.slice(0, 10), status: 'PAID' },
  nextBillingAt: nextAt,
  nextRetryAt: null,
  lastDeclineCode: null,
  endedAt: null,
  endReason: null,
  externalId: 'contract-77',
  createdAt: at,
  updatedAt: at,
});
const ofPeriod = (id: string, at: string, nextAt: string) => ({ ...subscription(id, at, nextAt), periodNumber: 2 });
const endedSubscription = (id: string, at: string, nextAt: string) => ({
  ...subscription(id, at, nextAt),
  currentPeriod: null,
  nextBillingAt: null,
  endedAt: at,
});

const endpoint = (id: string, at: string): OutwardDataOf<'webhook_endpoint.paused'> => ({
  id,
  url: 'https://example.com/webhooks',
  types: ['payment.*'],
  description: null,
  status: 'PAUSED',
  createdAt: at,
  lastDeliveryAt: null,
  failingSince: at,
});

type Samples = { [T in OutwardType]: (id: string, at: string, expiresAt: string) => OutwardDataOf<T> };

const samples: Samples = {
  'payment.confirmed': payment,
  'payment.declined': (id, at) => ({
    ...payment(id, at),
    status: 'CANCELLED',
    paidTerms: 0,
    declineCode: 'insufficient_funds',
  }),
  'payment.refunded': (id, at) => ({ ...payment(id, at), status: 'REFUNDED', refundedAt: at }),
  'hold.placed': hold,
  'hold.ending': (id, at, expiresAt) => ({ ...hold(id, at, expiresAt), holdDaysRemaining: 1 }),
  'hold.captured': (id, at, expiresAt) => ({
    ...hold(id, at, expiresAt),
    ...ended,
    status: 'CONFIRMED',
    amount: 1000,
    capturedAt: at,
    paidTerms: 1,
  }),
  'hold.released': (id, at, expiresAt) => ({
    ...hold(id, at, expiresAt),
    ...ended,
    status: 'HOLD_RELEASED',
    holdReleasedAt: at,
  }),
  'hold.expired': (id, at, expiresAt) => ({
    ...hold(id, at, expiresAt),
    ...ended,
    status: 'HOLD_EXPIRED',
    holdReleasedAt: at,
    holdExpired: true,
  }),
  'one_time_payment.paid': (id, at, expiresAt) => ({ ...link(id, at, expiresAt), status: 'CONFIRMED' }),
  'one_time_payment.cancelled': (id, at, expiresAt) => ({ ...link(id, at, expiresAt), status: 'CANCELLED' }),
  'one_time_payment.expired': (id, at) => link(id, at, at),
  'payment_link.sold_out': paymentLink,
  'product.out_of_stock': product,
  'promotion.accepted': promotion,
  'promotion.ended': (id, at) => ({ ...promotion(id, at, at), status: 'ENDED' }),
  'payment_intent.confirmed': (id, at) => ({
    ...intent(id, at),
    status: 'CONFIRMED',
    paymentSummary: { id: AN_ID, status: 'CONFIRMED', operationCode: 100_001 },
  }),
  'payment_intent.cancelled': intent,
  'payment_intent.expired': (id, at) => ({ ...intent(id, at), expired: true }),
  'payment_intent.superseded': (id, at) => ({ ...intent(id, at), supersededBy: AN_ID }),
  'payment_method.saved': method,
  'payment_method.expired': (id, at) => ({ ...method(id, at), status: 'EXPIRED' }),
  'payment_method.revoked': (id, at) => ({ ...method(id, at), status: 'REVOKED' }),
  'subscription.created': subscription,
  'subscription.renewing': (id, at, nextAt) => ({ ...ofPeriod(id, at, nextAt), periodNumber: 3 }),
  'subscription.renewed': ofPeriod,
  'subscription.past_due': (id, at, nextAt) => ({
    ...ofPeriod(id, at, nextAt),
    status: 'PAST_DUE',
    currentPeriod: { number: 2, startsOn: at.slice(0, 10), endsOn: nextAt.slice(0, 10), status: 'OPEN' },
    nextRetryAt: nextAt,
    lastDeclineCode: 'insufficient_funds',
  }),
  'subscription.recovered': ofPeriod,
  'subscription.cancelled': (id, at, nextAt) => ({
    ...endedSubscription(id, at, nextAt),
    status: 'CANCELLED',
    endReason: 'MERCHANT',
  }),
  'subscription.completed': (id, at, nextAt) => ({
    ...endedSubscription(id, at, nextAt),
    status: 'COMPLETED',
    totalPeriods: 2,
    endReason: 'COMPLETED',
  }),
  'webhook_endpoint.paused': endpoint,
  'webhook_endpoint.disabled': (id, at) => ({ ...endpoint(id, at), status: 'DISABLED' }),
};

/** Sample `data` for an event of this type, about an object that does not exist. */
export const sampleOf = (type: OutwardType, objectId: string, at: Date): object =>
  samples[type](objectId, at.toISOString(), new Date(at.getTime() + 7 * DAY_MS).toISOString());

import type { Language } from '@cobro/html/language.ts';
import type { PaymentStatus } from '@cobro/contracts/payments.ts';

export interface PaymentWords {
  payment: string;
  statuses: { [Name in PaymentStatus]: string };
  types: { CARD_PRESENT: string; CARD_NOT_PRESENT: string };
  sources: {
    SAVED_CARD: string;
    ONE_TIME_PAYMENT: string;
    PAYMENT_LINK: string;
    PAYMENT_INTENT: string;
    SUBSCRIPTION: string;
  };
  fundingSources: Record<string, string>;
  single: string;
  terms: (terms: number) => string;
  columns: {
    time: string;
    operationCode: string;
    card: string;
    source: string;
    externalId: string;
    status: string;
    amount: string;
  };
}

export const paymentWords: { [Name in Language]: PaymentWords } = {
  es: {
    payment: 'Pago',
    statuses: {
      NOT_INITIALIZED: 'Sin iniciar',
      PENDING: 'En proceso',
      CONFIRMED: 'Cobrado',
      CANCELLED: 'Rechazado',
      REFUNDED: 'Devuelto',
      HELD: 'Retenido',
      HOLD_RELEASED: 'Liberado',
      HOLD_EXPIRED: 'Vencido',
    },
    types: { CARD_PRESENT: 'Con tarjeta presente', CARD_NOT_PRESENT: 'A distancia' },
    sources: {
      SAVED_CARD: 'Tarjeta guardada',
      ONE_TIME_PAYMENT: 'Cobro único',
      PAYMENT_LINK: 'Enlace de pago',
      SUBSCRIPTION: 'Suscripción',
      PAYMENT_INTENT: 'Terminal',
    },
    fundingSources: { CREDIT: 'crédito', DEBIT: 'débito', PREPAID: 'prepago' },
    single: 'Un solo pago',
    terms: (terms) => `${terms} mensualidades`,
    columns: {
      time: 'Hora (CDMX)',
      operationCode: 'Operación',
      card: 'Tarjeta',
      source: 'Origen',
      externalId: 'Tu referencia',
      status: 'Estado',
      amount: 'Importe',
    },
  },
  en: {
    payment: 'Payment',
    statuses: {
      NOT_INITIALIZED: 'Not begun',
      PENDING: 'In progress',
      CONFIRMED: 'Paid',
      CANCELLED: 'Declined',
      REFUNDED: 'Refunded',
      HELD: 'Held',
      HOLD_RELEASED: 'Released',
      HOLD_EXPIRED: 'Expired',
    },
    types: { CARD_PRESENT: 'Card present', CARD_NOT_PRESENT: 'Card not present' },
    sources: {
      SAVED_CARD: 'Saved card',
      ONE_TIME_PAYMENT: 'One-time payment',
      PAYMENT_LINK: 'Payment link',
      SUBSCRIPTION: 'Subscription',
      PAYMENT_INTENT: 'Terminal',
    },
    fundingSources: { CREDIT: 'credit', DEBIT: 'debit', PREPAID: 'prepaid' },
    single: 'One payment',
    terms: (terms) => `${terms} monthly payments`,
    columns: {
      time: 'Time (CDMX)',
      operationCode: 'Operation',
      card: 'Card',
      source: 'Source',
      externalId: 'Your reference',
      status: 'Status',
      amount: 'Amount',
    },
  },
};

import type { Language } from '@cobro/html/language.ts';
import type { TimelineOperation } from '@cobro/contracts/payment-timeline.ts';

export interface DetailWords {
  title: (code: number) => string;
  amount: string;
  held: string;
  captureUntil: string;
  description: string;
  externalId: string;
  terms: string;
  promotion: string;
  made: string;
  id: string;
  decline: string;
  cardPanel: string;
  card: string;
  funding: string;
  bank: string;
  type: string;
  payerPanel: string;
  name: string;
  email: string;
  phone: string;
  noPayer: string;
  originPanel: string;
  source: string;
  ids: {
    [
      Id in
        | 'paymentMethodId'
        | 'oneTimePaymentId'
        | 'paymentLinkId'
        | 'subscriptionId'
        | 'paymentIntentId'
        | 'terminalId'
    ]: string;
  };
  timelinePanel: string;
  timelineClock: string;
  incomplete: string;
  purposes: { [Name in TimelineOperation['purpose']]: string };
  outcomes: { [Name in TimelineOperation['outcome']]: string };
  asked: string;
  byPerson: string;
  byKey: string;
  silent: string;
  inquiries: (count: number) => string;
  settled: string;
  reference: string;
  waiting: { title: string; text: string };
}

export const detailWords: { [Name in Language]: DetailWords } = {
  es: {
    title: (code) => `Pago ${code}`,
    amount: 'Importe',
    held: 'Retenido',
    captureUntil: 'Se puede cobrar hasta',
    description: 'Concepto',
    externalId: 'Tu referencia',
    terms: 'Forma de pago',
    promotion: 'Promoción',
    made: 'Creado',
    id: 'Id',
    decline: 'Motivo del rechazo',
    cardPanel: 'Tarjeta',
    card: 'Tarjeta',
    funding: 'Tipo',
    bank: 'Banco emisor',
    type: 'Cómo se usó',
    payerPanel: 'Cliente',
    name: 'Nombre',
    email: 'Correo',
    phone: 'Teléfono',
    noPayer: 'Este pago no trae datos del cliente.',
    originPanel: 'Origen',
    source: 'De dónde vino',
    ids: {
      paymentMethodId: 'Tarjeta guardada',
      oneTimePaymentId: 'Cobro único',
      paymentLinkId: 'Enlace de pago',
      subscriptionId: 'Suscripción',
      paymentIntentId: 'Cobro en terminal',
      terminalId: 'Terminal',
    },
    timelinePanel: 'Historial con el banco',
    timelineClock: 'Hora real de cada paso.',
    incomplete: 'Una parte de Cobro no respondió: pueden faltar cobros y liberaciones de la retención.',
    purposes: {
      CHARGE: 'Cargo',
      HOLD: 'Retención',
      CAPTURE: 'Cobro de la retención',
      RELEASE: 'Liberación',
      EXPIRE: 'Liberación por vencimiento',
      REFUND: 'Devolución',
    },
    outcomes: {
      OPEN: 'Sin respuesta todavía',
      APPROVED: 'Aprobado',
      DECLINED: 'Rechazado',
      NOT_PROCESSED: 'El banco no lo procesó',
      NOT_SENT: 'No se envió al banco',
    },
    asked: 'Pedido al banco',
    byPerson: 'por una persona',
    byKey: 'por la llave',
    silent: 'El banco no contestó',
    inquiries: (count) => (count === 1 ? 'Se le preguntó una vez' : `Se le preguntó ${count} veces`),
    settled: 'Resultado anotado',
    reference: 'Referencia del banco',
    waiting: {
      title: 'El banco todavía no contesta',
      text: 'No lo repitas: preguntamos al banco hasta saber qué pasó. Vuelve a cargar la página en un momento.',
    },
  },
  en: {
    title: (code) => `Payment ${code}`,
    amount: 'Amount',
    held: 'Held',
    captureUntil: 'Can be captured until',
    description: 'Description',
    externalId: 'Your reference',
    terms: 'Way of paying',
    promotion: 'Promotion',
    made: 'Made',
    id: 'Id',
    decline: 'Why it was declined',
    cardPanel: 'Card',
    card: 'Card',
    funding: 'Kind',
    bank: 'Issuing bank',
    type: 'How it was used',
    payerPanel: 'Customer',
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    noPayer: 'This payment came without the customer’s details.',
    originPanel: 'Origin',
    source: 'Where it came from',
    ids: {
      paymentMethodId: 'Saved card',
      oneTimePaymentId: 'One-time payment',
      paymentLinkId: 'Payment link',
      subscriptionId: 'Subscription',
      paymentIntentId: 'Payment intent',
      terminalId: 'Terminal',
    },
    timelinePanel: 'History with the bank',
    timelineClock: 'The real time of each step.',
    incomplete: 'A part of Cobro did not answer: captures and releases of the hold may be missing.',
    purposes: {
      CHARGE: 'Charge',
      HOLD: 'Hold',
      CAPTURE: 'Capture',
      RELEASE: 'Release',
      EXPIRE: 'Release at the end of the window',
      REFUND: 'Refund',
    },
    outcomes: {
      OPEN: 'No answer yet',
      APPROVED: 'Approved',
      DECLINED: 'Declined',
      NOT_PROCESSED: 'The bank did not process it',
      NOT_SENT: 'Not sent to the bank',
    },
    asked: 'Asked of the bank',
    byPerson: 'by a person',
    byKey: 'by the key',
    silent: 'The bank did not answer',
    inquiries: (count) => (count === 1 ? 'It was asked once' : `It was asked ${count} times`),
    settled: 'Outcome written down',
    reference: 'The bank’s reference',
    waiting: {
      title: 'The bank has not answered yet',
      text: 'Do not repeat it: we ask the bank until we know what happened. Load the page again in a moment.',
    },
  },
};

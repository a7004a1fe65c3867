import type { DeclineReason } from '@cobro/contracts/reports.ts';
import type { Language } from '@cobro/html/language.ts';

export interface HomeWords {
  title: string;
  today: (day: string) => string;
  volume: string;
  payments: string;
  approval: string;
  /** Beside today's figure: the same weekday a week before, which is over. */
  weekAgo: (day: string) => string;
  noneYet: string;
  days: string;
  hours: string;
  columns: { day: string; hour: string; payments: string; amount: string };
  declines: { title: string; none: string; count: (declined: string) => string };
  reasons: { [Name in DeclineReason]: string };
  holds: {
    title: string;
    today: string;
    tomorrow: string;
    count: (holds: string) => string;
    until: (time: string) => string;
    none: string;
    all: string;
  };
  pending: {
    title: string;
    none: string;
    count: (payments: string) => string;
    text: string;
    incomplete: string;
    since: string;
  };
  start: {
    title: string;
    text: string;
    key: string;
    keyText: string;
    charge: string;
    chargeText: string;
    link: string;
    linkText: string;
  };
}

export const homeWords: { [Name in Language]: HomeWords } = {
  es: {
    title: 'Inicio',
    today: (day) => `Hoy, ${day}`,
    volume: 'Cobrado',
    payments: 'Pagos',
    approval: 'Aprobación',
    weekAgo: (day) => `Todo el ${day}`,
    noneYet: 'Sin intentos',
    days: 'Cobrado en los últimos 30 días',
    hours: 'Cobrado hoy, por hora',
    columns: { day: 'Día', hour: 'Hora (CDMX)', payments: 'Pagos', amount: 'Cobrado' },
    declines: {
      title: 'Rechazos de los últimos 30 días',
      none: 'Ningún pago fue rechazado.',
      count: (declined) => (declined === '1' ? '1 rechazo' : `${declined} rechazos`),
    },
    reasons: {
      FUNDS: 'Sin fondos',
      CARD: 'Tarjeta vencida o no válida',
      BANK: 'El banco emisor dijo que no',
      OURS: 'No se pudo procesar de nuestro lado',
      OTHER: 'Otro motivo del banco',
    },
    holds: {
      title: 'Retenciones que vencen',
      today: 'Hoy',
      tomorrow: 'Mañana',
      count: (holds) => (holds === '1' ? '1 retención' : `${holds} retenciones`),
      until: (time) => `hasta las ${time}`,
      none: 'Ninguna',
      all: 'Ver todas las retenciones',
    },
    pending: {
      title: 'Sin respuesta del banco',
      none: 'El banco ha contestado todo.',
      count: (payments) =>
        payments === '1'
          ? '1 pago espera respuesta desde hace más de un minuto.'
          : `${payments} pagos esperan respuesta desde hace más de un minuto.`,
      text: 'No los repitas: preguntamos al banco hasta saber qué pasó.',
      incomplete: 'Una parte de Cobro no respondió: pueden faltar cobros y liberaciones de retenciones.',
      since: 'Desde',
    },
    start: {
      title: 'Tus primeros pasos',
      text: 'Todavía no hay pagos. En cuanto el banco conteste el primero, aquí verás tu día.',
      key: 'Crea una llave',
      keyText: 'Con ella, tu sistema habla con Cobro. Se muestra una sola vez.',
      charge: 'Haz tu primer cargo',
      chargeText: 'Guarda una tarjeta y cóbrale por la API. Con una llave de prueba no se mueve dinero real.',
      link: 'O manda un enlace de pago',
      linkText: 'Tu cliente paga en una página; no hace falta programar.',
    },
  },
  en: {
    title: 'Home',
    today: (day) => `Today, ${day}`,
    volume: 'Paid',
    payments: 'Payments',
    approval: 'Approval rate',
    weekAgo: (day) => `The whole of ${day}`,
    noneYet: 'No attempts',
    days: 'Paid in the last 30 days',
    hours: 'Paid today, by the hour',
    columns: { day: 'Day', hour: 'Hour (CDMX)', payments: 'Payments', amount: 'Paid' },
    declines: {
      title: 'Declines of the last 30 days',
      none: 'No payment was declined.',
      count: (declined) => (declined === '1' ? '1 decline' : `${declined} declines`),
    },
    reasons: {
      FUNDS: 'Insufficient funds',
      CARD: 'Card expired or not valid',
      BANK: 'The issuing bank said no',
      OURS: 'We could not process it',
      OTHER: 'Another reason of the bank',
    },
    holds: {
      title: 'Holds that end',
      today: 'Today',
      tomorrow: 'Tomorrow',
      count: (holds) => (holds === '1' ? '1 hold' : `${holds} holds`),
      until: (time) => `until ${time}`,
      none: 'None',
      all: 'See all holds',
    },
    pending: {
      title: 'No answer from the bank',
      none: 'The bank has answered everything.',
      count: (payments) =>
        payments === '1'
          ? '1 payment has waited for an answer for more than a minute.'
          : `${payments} payments have waited for an answer for more than a minute.`,
      text: 'Do not repeat them: we ask the bank until we know what happened.',
      incomplete: 'A part of Cobro did not answer: captures and releases of holds may be missing.',
      since: 'Since',
    },
    start: {
      title: 'Your first steps',
      text: 'There are no payments yet. As soon as the bank answers the first one, you see your day here.',
      key: 'Create a key',
      keyText: 'With it your system talks to Cobro. It is shown once.',
      charge: 'Make your first charge',
      chargeText: 'Save a card and charge it by the API. With a test key no real money moves.',
      link: 'Or send a payment link',
      linkText: 'Your customer pays on a page; nothing needs to be programmed.',
    },
  },
};

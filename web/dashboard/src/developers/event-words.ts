import type { Language } from '@cobro/html/language.ts';

interface EventWords {
  intro: string;
  type: string;
  any: string;
  families: {
    [
      Name in
        | 'payment.*'
        | 'hold.*'
        | 'one_time_payment.*'
        | 'payment_link.*'
        | 'product.*'
        | 'promotion.*'
        | 'payment_intent.*'
        | 'payment_method.*'
        | 'webhook_endpoint.*'
    ]: string;
  };
  object: string;
  filter: string;
  when: string;
  about: string;
  event: string;
  data: string;
  payment: string;
  empty: { title: string; text: string };
  none: { title: string; text: string };
  wrongFilter: string;
}

export const eventWords: { [Name in Language]: EventWords } = {
  es: {
    intro:
      'Lo que pasó en los últimos 30 días, como lo ven tus programas en GET /event y en los webhooks. Lo más nuevo primero.',
    type: 'Tipo',
    any: 'todos',
    families: {
      'payment.*': 'Pagos',
      'hold.*': 'Retenciones',
      'one_time_payment.*': 'Pagos únicos',
      'payment_link.*': 'Enlaces de pago',
      'product.*': 'Productos',
      'promotion.*': 'Promociones',
      'payment_intent.*': 'Intentos en terminal',
      'payment_method.*': 'Tarjetas guardadas',
      'webhook_endpoint.*': 'Webhooks',
    },
    object: 'Id del objeto',
    filter: 'Filtrar',
    when: 'Cuándo',
    about: 'Sobre qué',
    event: 'Evento',
    data: 'Así se envía',
    payment: 'Ver el pago',
    empty: { title: 'Todavía no hay eventos', text: 'El primero llega con tu primer cobro o tarjeta guardada.' },
    none: { title: 'Ningún evento coincide', text: 'Quita un filtro. Los eventos se guardan 30 días.' },
    wrongFilter: 'Escribe el id completo de un pago, una tarjeta o un intento.',
  },
  en: {
    intro: 'What happened in the last 30 days, as your programs see it at GET /event and in webhooks. Newest first.',
    type: 'Type',
    any: 'all',
    families: {
      'payment.*': 'Payments',
      'hold.*': 'Holds',
      'one_time_payment.*': 'One-time payments',
      'payment_link.*': 'Payment links',
      'product.*': 'Products',
      'promotion.*': 'Promotions',
      'payment_intent.*': 'Payment intents',
      'payment_method.*': 'Saved cards',
      'webhook_endpoint.*': 'Webhooks',
    },
    object: 'Id of the object',
    filter: 'Filter',
    when: 'When',
    about: 'About',
    event: 'Event',
    data: 'As it is sent',
    payment: 'See the payment',
    empty: { title: 'There are no events yet', text: 'The first comes with your first charge or saved card.' },
    none: { title: 'No event matches', text: 'Take a filter off. Events are kept for 30 days.' },
    wrongFilter: 'Enter the whole id of a payment, a card or an intent.',
  },
};

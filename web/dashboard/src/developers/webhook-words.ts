import type { Language } from '@cobro/html/language.ts';

interface ActionText {
  title: string;
  explain: string;
  button: string;
}

export const webhookActions = ['change', 'pause', 'enable', 'secret', 'test', 'replay', 'delete'] as const;
export type WebhookAction = (typeof webhookActions)[number];

export interface WebhookWords {
  intro: string;
  create: string;
  createButton: string;
  address: string;
  url: string;
  urlHint: string;
  types: string;
  typesHint: string;
  everyType: string;
  description: string;
  status: string;
  statuses: { ENABLED: string; PAUSED: string; DISABLED: string };
  created: string;
  lastDelivery: string;
  never: string;
  failingSince: string;
  failing: string;
  /** Status of a webhook that has failed for five days. */
  paused: string;
  pausedCount: (count: number) => string;
  empty: { title: string; text: string };
  secret: string;
  secretText: string;
  back: string;
  actions: { [Name in WebhookAction]: ActionText };
  /** Says on the next page what was done. */
  done: { change: string; pause: string; enable: string; test: string; delete: string; resend: string };
  oldSecret: string;
  overlaps: readonly (readonly [seconds: string, label: string])[];
  testType: string;
  since: string;
  sinceHint: string;
  wrongSince: string;
  wrongForm: string;
  replayed: (count: number) => string;
  deliveries: string;
  deliveryStatuses: { PENDING: string; DELIVERED: string };
  /** Status of a delivery that has failed, and is tried again. */
  retried: string;
  attempts: string;
  answered: string;
  nextAttempt: string;
  resend: string;
  noDeliveries: { title: string; text: string };
}

const hours = {
  es: [
    ['0', 'deja de firmar ahora'],
    ['3600', 'firma una hora más'],
    ['86400', 'firma un día más'],
  ],
  en: [
    ['0', 'stops signing now'],
    ['3600', 'signs for another hour'],
    ['86400', 'signs for another day'],
  ],
} as const;

export const webhookWords: { [Name in Language]: WebhookWords } = {
  es: {
    intro: 'Enviamos cada evento a las direcciones que registres, firmado, y lo intentamos otra vez durante 30 días.',
    create: 'Agregar webhook',
    createButton: 'Agregar y mostrar el secreto',
    address: 'Dirección',
    url: 'Dirección (https)',
    urlHint: 'A donde enviamos los eventos. Debe ser pública.',
    types: 'Eventos',
    typesHint: 'Elige uno o más.',
    everyType: 'todos',
    description: 'Descripción',
    status: 'Estado',
    statuses: { ENABLED: 'Activo', PAUSED: 'En pausa por fallas', DISABLED: 'Detenido' },
    created: 'Agregado',
    lastDelivery: 'Última entrega',
    never: 'nunca',
    failingSince: 'Falla desde',
    failing: 'Todas las entregas fallan. Después de cinco días se pone en pausa; actívalo cuando tu servidor responda.',
    paused:
      'Está en pausa porque falló cinco días seguidos. Nada se pierde durante 30 días: al activarlo recibe primero lo que espera.',
    pausedCount: (count) =>
      count === 1
        ? 'Un webhook está en pausa porque falló cinco días: sus eventos esperan.'
        : `${count} webhooks están en pausa porque fallaron cinco días: sus eventos esperan.`,
    empty: { title: 'Todavía no hay webhooks', text: 'Agrega la dirección de tu servidor para recibir los eventos.' },
    secret: 'Copia el secreto ahora',
    secretText: 'No se volverá a mostrar. Con él tu servidor comprueba la firma de cada evento (webhook-signature).',
    back: 'Ver el webhook',
    actions: {
      change: {
        title: 'Cambiar',
        explain: 'Cada evento, también los que esperan, irá a la dirección que escribas aquí. El secreto es el mismo.',
        button: 'Guardar',
      },
      pause: {
        title: 'Detener',
        explain: 'No recibe eventos nuevos hasta que lo actives. Lo que pase mientras se puede reenviar después.',
        button: 'Detener',
      },
      enable: {
        title: 'Activar',
        explain: 'Recibe otra vez los eventos, y primero los que esperan.',
        button: 'Activar',
      },
      secret: {
        title: 'Cambiar el secreto',
        explain: 'Se hace un secreto nuevo. Mientras sirven los dos, cada evento lleva ambas firmas.',
        button: 'Cambiar y mostrar el nuevo',
      },
      test: {
        title: 'Probar',
        explain: 'Enviamos un ejemplo de un evento, con datos inventados.',
        button: 'Enviar la prueba',
      },
      replay: {
        title: 'Repetir eventos',
        explain: 'Enviamos otra vez los eventos desde un momento, de 5,000 en 5,000.',
        button: 'Repetir',
      },
      delete: {
        title: 'Borrar',
        explain: 'Deja de recibir eventos, y se borra con su historial de entregas.',
        button: 'Borrar',
      },
    },
    done: {
      change: 'El webhook se cambió.',
      pause: 'El webhook se detuvo.',
      enable: 'El webhook está activo.',
      test: 'La prueba va en camino: mira abajo qué contestó tu servidor.',
      delete: 'El webhook se borró.',
      resend: 'El evento se envía otra vez.',
    },
    oldSecret: 'El secreto anterior',
    overlaps: hours.es,
    testType: 'Tipo de evento',
    since: 'Desde',
    sinceHint: 'Hora de la Ciudad de México.',
    wrongSince: 'Escribe un día y una hora de los últimos 30 días.',
    wrongForm: 'Revisa la dirección (https y pública) y elige al menos un tipo de evento.',
    replayed: (count) => `Se envían otra vez ${count.toLocaleString('es-MX')} eventos.`,
    deliveries: 'Entregas',
    deliveryStatuses: { PENDING: 'Pendiente', DELIVERED: 'Entregado' },
    retried: 'Se reintenta',
    attempts: 'Intentos',
    answered: 'Contestó',
    nextAttempt: 'Próximo intento',
    resend: 'Enviar otra vez',
    noDeliveries: { title: 'Todavía no hay entregas', text: 'Envía una prueba para ver la primera.' },
  },
  en: {
    intro: 'We send each event to the addresses that you register, signed, and try again for 30 days.',
    create: 'Add a webhook',
    createButton: 'Add and show the secret',
    address: 'Address',
    url: 'Address (https)',
    urlHint: 'Where we send events. It must be public.',
    types: 'Events',
    typesHint: 'Choose one or more.',
    everyType: 'all',
    description: 'Description',
    status: 'Status',
    statuses: { ENABLED: 'Enabled', PAUSED: 'Paused because it fails', DISABLED: 'Stopped' },
    created: 'Added',
    lastDelivery: 'Last delivery',
    never: 'never',
    failingSince: 'Failing since',
    failing: 'Every delivery fails. After five days it is paused; enable it when your server answers.',
    paused:
      'It is paused because it failed for five days. Nothing is lost for 30 days: once enabled it first gets what waits.',
    pausedCount: (count) =>
      count === 1
        ? 'A webhook is paused because it failed for five days: its events wait.'
        : `${count} webhooks are paused because they failed for five days: their events wait.`,
    empty: { title: 'There are no webhooks yet', text: 'Add the address of your server to receive events.' },
    secret: 'Copy the secret now',
    secretText:
      'It will not be shown again. With it your server verifies the signature of each event (webhook-signature).',
    back: 'See the webhook',
    actions: {
      change: {
        title: 'Change',
        explain: 'Each event, also those that wait, will go to the address that you enter here. The secret stays.',
        button: 'Save',
      },
      pause: {
        title: 'Stop',
        explain: 'It gets no new events until you enable it. What happens meanwhile can be replayed later.',
        button: 'Stop',
      },
      enable: {
        title: 'Enable',
        explain: 'It gets events again, and first those that wait.',
        button: 'Enable',
      },
      secret: {
        title: 'Change the secret',
        explain: 'A new secret is made. While both work, each event has both signatures.',
        button: 'Change and show the new one',
      },
      test: {
        title: 'Test',
        explain: 'We send a sample of an event, with made-up data.',
        button: 'Send the test',
      },
      replay: {
        title: 'Replay events',
        explain: 'We send the events since a time once more, 5,000 at a time.',
        button: 'Replay',
      },
      delete: {
        title: 'Delete',
        explain: 'It gets no more events, and is deleted with its log of deliveries.',
        button: 'Delete',
      },
    },
    done: {
      change: 'The webhook was changed.',
      pause: 'The webhook was stopped.',
      enable: 'The webhook is enabled.',
      test: 'The test is on its way: see below what your server answered.',
      delete: 'The webhook was deleted.',
      resend: 'The event is sent once more.',
    },
    oldSecret: 'The old secret',
    overlaps: hours.en,
    testType: 'Type of event',
    since: 'Since',
    sinceHint: 'Mexico City time.',
    wrongSince: 'Enter a day and a time of the last 30 days.',
    wrongForm: 'Check the address (https and public), and choose at least one type of event.',
    replayed: (count) => `${count.toLocaleString('en-US')} events are sent once more.`,
    deliveries: 'Deliveries',
    deliveryStatuses: { PENDING: 'Pending', DELIVERED: 'Delivered' },
    retried: 'Retrying',
    attempts: 'Attempts',
    answered: 'Answered',
    nextAttempt: 'Next attempt',
    resend: 'Send again',
    noDeliveries: { title: 'There are no deliveries yet', text: 'Send a test to see the first.' },
  },
};

import type { Language } from '@cobro/html/language.ts';

const es = {
  title: 'Operación',
  why: 'Lo que alguien de operaciones tiene que mirar. Aquí no se cambia nada: para eso hay comandos.',
  open: {
    title: 'Sin respuesta del banco',
    none: 'Ninguna operación espera desde hace más de un minuto.',
    text: 'esperan desde hace más de un minuto. Todas:',
    purpose: 'Operación',
    acquirer: 'Adquirente',
    since: 'Desde',
    inquiries: 'Consultas',
    amount: 'Importe',
    purposes: {
      save: 'Guardar una tarjeta',
      charge: 'Cobro',
      hold: 'Retención',
      capture: 'Captura',
      release: 'Liberación',
      expire: 'Liberación al vencer',
      refund: 'Devolución',
    } as Readonly<Record<string, string>>,
  },
  parked: {
    title: 'Eventos apartados',
    none: 'Ningún evento está apartado.',
    text: 'eventos que un servicio no pudo aplicar. Cuáles, y por qué:',
  },
  compared: {
    title: 'Conciliación',
    none: 'Todavía no se ha comparado ningún día:',
    day: 'Día',
    books: 'Libros',
    outcome: 'Resultado',
    differences: 'Diferencias',
    finishedAt: 'Comparado',
    alike: 'Coincide',
    differ: 'Difiere',
    notCompared: 'No se comparó',
    behind: (books: string, day: string) => `${books}: nada se comparó después del ${day}.`,
    of: { counters: 'Contadores', events: 'Eventos de los comercios' } as Readonly<Record<string, string>>,
  },
};

const en: typeof es = {
  title: 'Operations',
  why: 'What somebody in operations has to look into. Nothing is changed here: there are commands for that.',
  open: {
    title: 'Without the bank’s answer',
    none: 'No operation has waited for more than a minute.',
    text: 'have waited for more than a minute. All of them:',
    purpose: 'Operation',
    acquirer: 'Acquirer',
    since: 'Since',
    inquiries: 'Inquiries',
    amount: 'Amount',
    purposes: {
      save: 'Saving a card',
      charge: 'Charge',
      hold: 'Hold',
      capture: 'Capture',
      release: 'Release',
      expire: 'Release at the end',
      refund: 'Refund',
    },
  },
  parked: {
    title: 'Parked events',
    none: 'No event is parked.',
    text: 'events that a service could not apply. Which, and why:',
  },
  compared: {
    title: 'Reconciliation',
    none: 'No day has been compared yet:',
    day: 'Day',
    books: 'Books',
    outcome: 'Outcome',
    differences: 'Differences',
    finishedAt: 'Compared',
    alike: 'Alike',
    differ: 'Differs',
    notCompared: 'Not compared',
    behind: (books: string, day: string) => `${books}: nothing was compared after ${day}.`,
    of: { counters: 'Counters', events: 'Events shown to merchants' },
  },
};

export const operationsWords: { [Name in Language]: typeof es } = { es, en };

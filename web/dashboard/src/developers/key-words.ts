import type { Language } from '@cobro/html/language.ts';

interface ActionText {
  /** Text of the link in the list. */
  link: string;
  title: string;
  explain: string;
  button: string;
}

export interface KeyWords {
  intro: string;
  create: string;
  unnamed: string;
  name: string;
  nameHint: string;
  wrongName: string;
  key: string;
  status: string;
  statuses: { ACTIVE: string; ENDING: string; REVOKED: string };
  until: (time: string) => string;
  by: string;
  operator: string;
  created: string;
  lastUsed: string;
  never: string;
  /** The name of the column of links. */
  actions: string;
  empty: { title: string; text: string };
  createText: string;
  createButton: string;
  made: string;
  madeText: string;
  tryIt: string;
  tryText: string;
  back: string;
  lastActive: string;
  roll: ActionText & { overlap: string; overlaps: readonly (readonly [seconds: string, label: string])[] };
  revoke: ActionText & { done: string };
  delete: ActionText & { done: string };
  oldEnds: (lastFour: string, time: string) => string;
  oldEnded: (lastFour: string) => string;
}

export const keyWords: { [Name in Language]: KeyWords } = {
  es: {
    intro: 'Con una llave tu servidor llama a la API. Nunca la pongas en una página, una app ni un repositorio.',
    create: 'Crear llave',
    unnamed: 'Sin nombre',
    name: 'Nombre',
    nameHint: 'Dónde se usará, por ejemplo «Tienda en línea». Hasta 100 caracteres.',
    wrongName: 'Escribe un nombre de 1 a 100 caracteres, sin números de tarjeta.',
    key: 'Termina en',
    status: 'Estado',
    statuses: { ACTIVE: 'Activa', ENDING: 'Termina', REVOKED: 'Revocada' },
    until: (time) => `hasta ${time}`,
    by: 'por',
    operator: 'un operador',
    created: 'Creada',
    lastUsed: 'Último uso',
    never: 'nunca',
    actions: 'Acciones',
    empty: {
      title: 'Todavía no hay llaves',
      text: 'Crea una para hacer tu primer cobro. Se muestra una sola vez.',
    },
    createText: 'La llave se muestra una sola vez, en la página que sigue. Ten listo dónde guardarla.',
    createButton: 'Crear y mostrar la llave',
    made: 'Copia tu llave ahora',
    madeText: 'No se volverá a mostrar. Guárdala donde tu servidor guarda sus secretos.',
    tryIt: 'Pruébala',
    tryText: 'En una terminal:',
    back: 'Ver las llaves',
    lastActive: 'Es la única llave activa: después ningún programa podrá cobrar hasta que hagas otra.',
    roll: {
      link: 'Cambiar',
      title: 'Cambiar la llave',
      explain: 'Se crea una llave nueva con el mismo nombre. Elige cuánto tiempo sirve todavía la anterior.',
      button: 'Cambiar y mostrar la nueva',
      overlap: 'La llave anterior',
      overlaps: [
        ['0', 'deja de servir ahora'],
        ['3600', 'sirve una hora más'],
        ['86400', 'sirve un día más'],
        ['604800', 'sirve siete días más'],
      ],
    },
    revoke: {
      link: 'Revocar',
      title: 'Revocar la llave',
      explain: 'En menos de un segundo deja de servir, en todas partes y para siempre.',
      button: 'Revocar',
      done: 'La llave se revocó: ya no sirve.',
    },
    delete: {
      link: 'Borrar',
      title: 'Borrar la llave',
      explain: 'Deja de servir, si todavía sirve, y desaparece de esta lista. Queda en la bitácora.',
      button: 'Borrar',
      done: 'La llave se borró.',
    },
    oldEnds: (lastFour, time) => `La anterior, que termina en ${lastFour}, sirve hasta ${time}.`,
    oldEnded: (lastFour) => `La anterior, que termina en ${lastFour}, ya no sirve.`,
  },
  en: {
    intro: 'With a key your server calls the API. Never put it into a page, an app or a repository.',
    create: 'Create a key',
    unnamed: 'Without a name',
    name: 'Name',
    nameHint: 'Where it will be used, for example “Online shop”. Up to 100 characters.',
    wrongName: 'Enter a name of 1 to 100 characters, without card numbers.',
    key: 'Ends in',
    status: 'Status',
    statuses: { ACTIVE: 'Active', ENDING: 'Ending', REVOKED: 'Revoked' },
    until: (time) => `until ${time}`,
    by: 'by',
    operator: 'an operator',
    created: 'Created',
    lastUsed: 'Last used',
    never: 'never',
    actions: 'Actions',
    empty: { title: 'There are no keys yet', text: 'Create one for your first charge. It is shown once.' },
    createText: 'The key is shown once, on the next page. Have the place ready where you will keep it.',
    createButton: 'Create and show the key',
    made: 'Copy your key now',
    madeText: 'It will not be shown again. Keep it where your server keeps its secrets.',
    tryIt: 'Try it',
    tryText: 'In a terminal:',
    back: 'See the keys',
    lastActive: 'It is the only active key: after this no program can charge until you make another.',
    roll: {
      link: 'Roll',
      title: 'Roll the key',
      explain: 'A new key of the same name is made. Choose how long the old one still works.',
      button: 'Roll and show the new one',
      overlap: 'The old key',
      overlaps: [
        ['0', 'stops working now'],
        ['3600', 'works for another hour'],
        ['86400', 'works for another day'],
        ['604800', 'works for another seven days'],
      ],
    },
    revoke: {
      link: 'Revoke',
      title: 'Revoke the key',
      explain: 'Within a second it stops working, everywhere and for good.',
      button: 'Revoke',
      done: 'The key was revoked: it does not work any more.',
    },
    delete: {
      link: 'Delete',
      title: 'Delete the key',
      explain: 'It stops working, if it still does, and leaves this list. It stays in the audit.',
      button: 'Delete',
      done: 'The key was deleted.',
    },
    oldEnds: (lastFour, time) => `The old one, which ends in ${lastFour}, works until ${time}.`,
    oldEnded: (lastFour) => `The old one, which ends in ${lastFour}, does not work any more.`,
  },
};

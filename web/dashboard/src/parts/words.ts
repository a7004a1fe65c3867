import type { Language } from '@cobro/html/language.ts';

export interface PartWords {
  copy: string;
  copied: string;
  refusalCode: string;
  requestId: string;
  more: string;
  newest: string;
  close: string;
  cancel: string;
  optional: string;
  showTable: string;
  unavailable: { title: string; text: string };
}

export const partWords: { [Name in Language]: PartWords } = {
  es: {
    copy: 'Copiar',
    copied: 'Copiado',
    refusalCode: 'Código',
    requestId: 'Solicitud',
    more: 'Siguientes',
    newest: 'Volver al principio',
    close: 'Cerrar',
    cancel: 'Cancelar',
    optional: '(opcional)',
    showTable: 'Ver como tabla',
    unavailable: {
      title: 'No disponible por ahora',
      text: 'Esta parte no respondió a tiempo. Vuelve a cargar la página en un momento.',
    },
  },
  en: {
    copy: 'Copy',
    copied: 'Copied',
    refusalCode: 'Code',
    requestId: 'Request',
    more: 'Next',
    newest: 'Back to the start',
    close: 'Close',
    cancel: 'Cancel',
    optional: '(optional)',
    showTable: 'Show as a table',
    unavailable: {
      title: 'Not available now',
      text: 'This part did not answer in time. Load the page again in a moment.',
    },
  },
};

import type { Language } from '@cobro/html/language.ts';

export interface PartWords {
  copy: string;
  copied: string;
  refusalCode: string;
  requestId: string;
  more: string;
  newer: string;
  newest: string;
  capped: string;
  close: string;
  cancel: string;
  optional: string;
  showTable: string;
  unavailable: { title: string; text: string };
  /** Shown over a page that has news. `#` stands for the number. */
  news: { [What in 'newPayments' | 'changedLinks' | 'changedPage']: { one: string; many: string } };
}

export const partWords: { [Name in Language]: PartWords } = {
  es: {
    copy: 'Copiar',
    copied: 'Copiado',
    refusalCode: 'Código',
    requestId: 'Solicitud',
    more: 'Siguientes',
    newer: 'Más recientes',
    newest: 'Volver al principio',
    capped: 'Puede haber más: con un filtro se muestran hasta 10,000.',
    close: 'Cerrar',
    cancel: 'Cancelar',
    optional: '(opcional)',
    showTable: 'Ver como tabla',
    unavailable: {
      title: 'No disponible por ahora',
      text: 'Esta parte no respondió a tiempo. Vuelve a cargar la página en un momento.',
    },
    news: {
      newPayments: { one: '1 pago nuevo', many: '# pagos nuevos' },
      changedLinks: { one: 'Cambió 1 enlace', many: 'Cambiaron # enlaces' },
      changedPage: { one: 'Hay cambios: ver', many: 'Hay cambios: ver' },
    },
  },
  en: {
    copy: 'Copy',
    copied: 'Copied',
    refusalCode: 'Code',
    requestId: 'Request',
    more: 'Next',
    newer: 'Newer',
    newest: 'Back to the start',
    capped: 'There may be more: with a filter, up to 10,000 are shown.',
    close: 'Close',
    cancel: 'Cancel',
    optional: '(optional)',
    showTable: 'Show as a table',
    unavailable: {
      title: 'Not available now',
      text: 'This part did not answer in time. Load the page again in a moment.',
    },
    news: {
      newPayments: { one: '1 new payment', many: '# new payments' },
      changedLinks: { one: '1 link has changed', many: '# links have changed' },
      changedPage: { one: 'This has changed: show', many: 'This has changed: show' },
    },
  },
};

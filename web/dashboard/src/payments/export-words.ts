import type { Language } from '@cobro/html/language.ts';

export interface ExportWords {
  button: string;
  /** In the file's name. */
  file: string;
  /** The last line of a file that is not whole. */
  incomplete: string;
}

export const exportWords: { [Name in Language]: ExportWords } = {
  es: {
    button: 'Exportar CSV',
    file: 'pagos',
    incomplete: 'INCOMPLETO: la descarga se interrumpió. Vuelve a exportar.',
  },
  en: { button: 'Export CSV', file: 'payments', incomplete: 'INCOMPLETE: the download broke off. Export again.' },
};

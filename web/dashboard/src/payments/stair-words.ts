import type { DisbursementExplained } from '@cobro/contracts/reports.ts';
import type { Language } from '@cobro/html/language.ts';

export interface StairWords {
  title: string;
  steps: { [Name in DisbursementExplained['steps'][number]['step']]: string };
  /** What merchant and sponsor bear and get. */
  shared: {
    title: string;
    part: string;
    merchant: string;
    sponsor: string;
    total: string;
    shares: { [Name in DisbursementExplained['shares'][number]['share']]: string };
  };
  refunded: string;
  unknown: string;
}

export const stairWords: { [Name in Language]: StairWords } = {
  es: {
    title: 'Lo que recibes',
    steps: {
      AMOUNT: 'Importe cobrado',
      FEE: 'Comisión',
      FEE_IVA: 'IVA de la comisión',
      PROMOTION: 'Tu parte de la promoción',
      TAKE: 'Recibes',
    },
    shared: {
      title: 'Lo tuyo y lo de tu socio',
      part: 'Parte',
      merchant: 'Tú',
      sponsor: 'Tu socio',
      total: 'Suma',
      shares: { FEE: 'Comisión', FEE_IVA: 'IVA', PROMOTION: 'Promoción', TAKE: 'Recibe' },
    },
    refunded: 'El pago se devolvió completo. Así se repartía antes de la devolución:',
    unknown: 'Este pago no tiene comisión asignada. Escribe a soporte.',
  },
  en: {
    title: 'What you get',
    steps: {
      AMOUNT: 'Amount paid',
      FEE: 'Fee',
      FEE_IVA: 'IVA of the fee',
      PROMOTION: 'Your part of the promotion',
      TAKE: 'You get',
    },
    shared: {
      title: 'Your part and your partner’s',
      part: 'Part',
      merchant: 'You',
      sponsor: 'Your partner',
      total: 'Sum',
      shares: { FEE: 'Fee', FEE_IVA: 'IVA', PROMOTION: 'Promotion', TAKE: 'Gets' },
    },
    refunded: 'The payment was refunded in full. This is how it was shared before:',
    unknown: 'This payment has no fee channel. Contact support.',
  },
};

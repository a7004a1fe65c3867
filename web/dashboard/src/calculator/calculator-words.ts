import type { Language } from '@cobro/html/language.ts';

const es = {
  title: 'Calculadora de meses',
  intro: 'Lo que paga tu cliente cada mes y lo que recibes tú, con tus propias comisiones.',
  amount: 'Importe en pesos',
  wrongAmount: 'Escribe un importe de 0.01 a 999,999,999.99, con dos decimales a lo más.',
  network: 'Marca',
  fundingSource: 'Tipo de tarjeta',
  fundingSources: { CREDIT: 'Crédito', DEBIT: 'Débito', PREPAID: 'Prepago' },
  type: 'Dónde se cobra',
  types: { CARD_NOT_PRESENT: 'Por un enlace', CARD_PRESENT: 'En la terminal' },
  button: 'Calcular',
  columns: {
    terms: 'Plazo',
    monthly: 'Por mes',
    fee: 'Comisión',
    feeAmount: 'Comisión e IVA',
    promotion: 'Promoción',
    take: 'Recibes',
    link: 'Enlace',
  },
  single: 'Un solo pago',
  months: (terms: number) => `${terms} meses`,
  noFee: 'Sin comisión acordada',
  makeLink: 'Crear este enlace',
  makeLinkOf: (terms: string) => `Crear este enlace: ${terms}`,
  credit: 'A meses sólo con tarjeta de crédito.',
  cents: 'El banco de tu cliente reparte los centavos entre los meses. Recibes tu parte como dice tu contrato.',
  fees: {
    title: 'Tabla de comisiones',
    intro:
      'Con ella se reparten tus próximos pagos. De varias filas cuenta la más precisa. La cambia quien administra Cobro.',
    any: 'cualquiera',
    discount: 'Descuento por promoción',
    promotion: 'Parte de la promoción',
    none: { title: 'No hay comisiones acordadas', text: 'Pregunta a quien administra Cobro.' },
  },
  first: { title: 'Escribe un importe', text: 'Aquí verás cada plazo, con lo que recibes.' },
};
export type CalculatorWords = typeof es;

const en: CalculatorWords = {
  title: 'Monthly payments calculator',
  intro: 'What your customer pays each month and what you get, by your own fees.',
  amount: 'Amount in pesos',
  wrongAmount: 'Enter an amount from 0.01 to 999,999,999.99, with at most two decimals.',
  network: 'Brand',
  fundingSource: 'Kind of card',
  fundingSources: { CREDIT: 'Credit', DEBIT: 'Debit', PREPAID: 'Prepaid' },
  type: 'Where it is paid',
  types: { CARD_NOT_PRESENT: 'By a link', CARD_PRESENT: 'At the terminal' },
  button: 'Calculate',
  columns: {
    terms: 'Months',
    monthly: 'Per month',
    fee: 'Fee',
    feeAmount: 'Fee and VAT',
    promotion: 'Promotion',
    take: 'You get',
    link: 'Link',
  },
  single: 'One payment',
  months: (terms) => `${terms} months`,
  noFee: 'No fee agreed',
  makeLink: 'Make this link',
  makeLinkOf: (terms) => `Make this link: ${terms}`,
  credit: 'Months are for credit cards only.',
  cents: 'Your customer’s bank spreads the centavos over the months. You get your part as your contract says.',
  fees: {
    title: 'Fee table',
    intro:
      'Your next payments are disbursed by it. Of several rows the most specific counts. Whoever runs Cobro changes it.',
    any: 'any',
    discount: 'Promotion discount',
    promotion: 'Promotion take',
    none: { title: 'No fees are agreed', text: 'Ask whoever runs Cobro.' },
  },
  first: { title: 'Enter an amount', text: 'Each number of months appears here, with what you get.' },
};

export const calculatorWords: { [Name in Language]: CalculatorWords } = { es, en };

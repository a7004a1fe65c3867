import type { BankLine } from '@cobro/contracts/settlements.ts';
import type { Language } from '@cobro/html/language.ts';

export interface DepositWords {
  title: string;
  explain: string;
  month: (name: string) => string;
  before: string;
  after: string;
  columns: {
    day: string;
    payments: string;
    amount: string;
    fees: string;
    take: string;
    refunds: string;
    expected: string;
    deposit: string;
    difference: string;
  };
  total: string;
  matches: string;
  enter: string;
  tax: { title: string; text: string; fee: string; iva: string; promotion: string };
  lines: {
    title: string;
    text: string;
    none: string;
    columns: { acquirer: string; kind: string; movements: string; gross: string; fee: string; net: string };
    kinds: { [Name in BankLine['kind']]: string };
    unknown: string;
  };
  ofDay: (day: string) => string;
  form: { title: string; label: string; hint: string; button: string; wrong: string };
  rows: { paid: string; refunded: string; none: string; more: string };
}

export const depositWords: { [Name in Language]: DepositWords } = {
  es: {
    title: 'Cuadre',
    explain:
      'Lo que recibes por lo cobrado cada día, menos lo devuelto ese día. Anota el depósito de tu banco y verás si falta algo. Una retención cuenta el día en que se cobra.',
    month: (name) => `Cuadre de ${name}`,
    before: 'Mes anterior',
    after: 'Mes siguiente',
    columns: {
      day: 'Día',
      payments: 'Pagos',
      amount: 'Cobrado',
      fees: 'Descuentos',
      take: 'Recibes',
      refunds: 'Devuelto',
      expected: 'Debe llegar',
      deposit: 'Depósito',
      difference: 'Diferencia',
    },
    total: 'Total',
    matches: 'cuadra',
    enter: 'Anotar',
    tax: {
      title: 'Para tu contador',
      text: 'Comisiones del mes y su IVA, que puedes acreditar. Incluye las de pagos que se devolvieron después.',
      fee: 'Comisiones',
      iva: 'IVA de las comisiones',
      promotion: 'Tu parte de las promociones',
    },
    lines: {
      title: 'Lo que reporta el banco adquirente',
      text: 'Aparece después de la conciliación de cada día.',
      none: 'Todavía no hay reporte de estos días.',
      columns: {
        acquirer: 'Adquirente',
        kind: 'Movimiento',
        movements: 'Cuántos',
        gross: 'Bruto',
        fee: 'Comisión',
        net: 'Neto',
      },
      kinds: {
        charge: 'Cobros',
        refund: 'Devoluciones',
        refund_failed: 'Devoluciones fallidas',
        dispute: 'Contracargos',
        adjustment: 'Ajustes',
      },
      unknown: 'no la dice',
    },
    ofDay: (day) => `Cuadre del ${day}`,
    form: {
      title: 'Depósito de tu banco',
      label: 'Cuánto llegó por este día',
      hint: 'En pesos, como 12,345.60. Déjalo vacío para borrar lo anotado.',
      button: 'Anotar el depósito',
      wrong: 'Escribe un importe como 12,345.60.',
    },
    rows: {
      paid: 'Cobrado este día',
      refunded: 'Devuelto este día',
      none: 'Nada.',
      more: 'Aquí están los 100 más recientes. La exportación los tiene todos.',
    },
  },
  en: {
    title: 'Deposits',
    explain:
      'What you get for what was paid each day, less what was refunded that day. Enter your bank’s deposit and see whether something is missing. A hold counts on the day of its capture.',
    month: (name) => `Deposits of ${name}`,
    before: 'Month before',
    after: 'Month after',
    columns: {
      day: 'Day',
      payments: 'Payments',
      amount: 'Paid',
      fees: 'Deductions',
      take: 'You get',
      refunds: 'Refunded',
      expected: 'Expected',
      deposit: 'Deposit',
      difference: 'Difference',
    },
    total: 'Total',
    matches: 'matches',
    enter: 'Enter',
    tax: {
      title: 'For your accountant',
      text: 'The fees of the month and their IVA, which you can credit. Those of payments refunded later are included.',
      fee: 'Fees',
      iva: 'IVA of the fees',
      promotion: 'Your part of the promotions',
    },
    lines: {
      title: 'What the acquirer reports',
      text: 'It appears once a day has been reconciled.',
      none: 'There is no report of these days yet.',
      columns: {
        acquirer: 'Acquirer',
        kind: 'Movement',
        movements: 'How many',
        gross: 'Gross',
        fee: 'Fee',
        net: 'Net',
      },
      kinds: {
        charge: 'Charges',
        refund: 'Refunds',
        refund_failed: 'Failed refunds',
        dispute: 'Disputes',
        adjustment: 'Adjustments',
      },
      unknown: 'not said',
    },
    ofDay: (day) => `Deposits of ${day}`,
    form: {
      title: 'Your bank’s deposit',
      label: 'How much came for this day',
      hint: 'In pesos, like 12,345.60. Leave it empty to take back what was entered.',
      button: 'Enter the deposit',
      wrong: 'Enter an amount like 12,345.60.',
    },
    rows: {
      paid: 'Paid on this day',
      refunded: 'Refunded on this day',
      none: 'Nothing.',
      more: 'These are the 100 newest. The export has all of them.',
    },
  },
};

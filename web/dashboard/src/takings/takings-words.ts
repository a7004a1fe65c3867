import type { Language } from '@cobro/html/language.ts';

const es = {
  title: 'Corte de caja',
  ofDay: (day: string) => `Corte de caja del ${day}`,
  explain:
    'Lo cobrado en el día, y aparte lo devuelto en el día. Una retención cuenta el día en que se cobra. Se imprime a 80 mm.',
  day: 'Día',
  show: 'Ver',
  print: 'Se imprime con el navegador.',
  printedAt: 'Hecho',
  all: 'Todo',
  salespeople: 'Por quién vendió',
  branches: 'Por sucursal',
  terminals: 'Por terminal',
  columns: { who: 'Nombre', payments: 'Pagos', amount: 'Cobrado', refunds: 'Devuelto' },
  nobody: { salespeople: 'Sin nadie', branches: 'Sin sucursal', terminals: 'Sin terminal' },
  unnamed: 'Sin nombre',
  none: 'No se cobró ni se devolvió nada en este día.',
};
export type TakingsWords = typeof es;

const en: TakingsWords = {
  title: 'Takings of a day',
  ofDay: (day) => `Takings of ${day}`,
  explain:
    'What was paid on the day, and apart from it what was refunded on the day. A hold counts on the day of its capture. Prints at 80 mm.',
  day: 'Day',
  show: 'Show',
  print: 'Print it by the browser.',
  printedAt: 'Made',
  all: 'All',
  salespeople: 'By who sold',
  branches: 'By branch',
  terminals: 'By terminal',
  columns: { who: 'Name', payments: 'Payments', amount: 'Paid', refunds: 'Refunded' },
  nobody: { salespeople: 'Nobody named', branches: 'No branch', terminals: 'No terminal' },
  unnamed: 'Without a name',
  none: 'Nothing was paid or refunded on this day.',
};

export const takingsWords: { [Name in Language]: TakingsWords } = { es, en };

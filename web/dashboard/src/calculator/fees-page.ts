import { html } from '@cobro/html/html.ts';
import { button, empty, unavailable } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { networkName } from '../payments/payment-parts.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { calculatorWords } from './calculator-words.ts';

/** A row of the table by which payments are disbursed. Null: any. Percent. */
export interface FeeRow {
  type: 'CARD_PRESENT' | 'CARD_NOT_PRESENT';
  network: string | null;
  fundingSource: string | null;
  terms: number;
  feePercentage: number;
  promotionFeeDiscount: number;
  promotionBusinessTake: number;
}

/** GET /fees */
export function feesPage(frame: Frame, rows: readonly FeeRow[] | null): Content {
  const { language } = frame;
  const { title, fees: words, ...of } = calculatorWords[language];
  const sources: Record<string, string> = of.fundingSources;
  const percent = (value: number) => `${value.toFixed(2)} %`;
  const columns = [
    { label: of.type, kind: 'main' as const },
    { label: of.network },
    { label: of.fundingSource },
    { label: of.columns.terms },
    { label: of.columns.fee, kind: 'amount' as const },
    { label: words.discount, kind: 'amount' as const },
    { label: words.promotion, kind: 'amount' as const },
  ];
  const shown = (rows ?? []).map((row) => [
    of.types[row.type],
    row.network === null ? words.any : networkName(row.network),
    row.fundingSource === null ? words.any : (sources[row.fundingSource] ?? row.fundingSource),
    row.terms === 1 ? of.single : of.months(row.terms),
    percent(row.feePercentage),
    percent(row.promotionFeeDiscount),
    percent(row.promotionBusinessTake),
  ]);
  return {
    status: rows === null ? 503 : 200,
    title: words.title,
    section: 'calculator',
    trail: { href: '/calculator', label: title },
    main: html`<p class="explain">${words.intro}</p>
      ${rows === null ? unavailable(language) : rows.length === 0 ? empty(words.none) : table({ caption: words.title, columns, rows: shown })}`,
  };
}

/** To the table, from the calculator. */
export const feesLink = ({ language }: Frame) => button('/fees', calculatorWords[language].fees.title, 'second');

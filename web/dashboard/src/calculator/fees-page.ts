import type { FeeChannel } from '@cobro/contracts/fee-channels.ts';
import { html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { button, empty, unavailable } from '../parts/small-parts.ts';
import { type Column, table } from '../parts/table.ts';
import { networkName } from '../payments/payment-parts.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { calculatorWords } from './calculator-words.ts';

/** GET /fees */
export function feesPage(frame: Frame, rows: readonly FeeChannel[] | null): Content {
  const { language } = frame;
  const { title, fees: words } = calculatorWords[language];
  const shown = (rows ?? []).map((row) => feeCells(language, row));
  return {
    status: rows === null ? 503 : 200,
    title: words.title,
    section: 'calculator',
    trail: { href: '/calculator', label: title },
    main: html`<p class="explain">${words.intro}</p>
      ${rows === null ? unavailable(language) : rows.length === 0 ? empty(words.none) : table({ caption: words.title, columns: feeColumns(language), rows: shown })}`,
  };
}

export function feeColumns(language: Language): Column[] {
  const { fees: words, ...of } = calculatorWords[language];
  return [
    { label: of.type, kind: 'main' },
    { label: of.network },
    { label: of.fundingSource },
    { label: of.columns.terms },
    { label: of.columns.fee, kind: 'amount' },
    { label: words.discount, kind: 'amount' },
    { label: words.promotion, kind: 'amount' },
  ];
}

/** A row of the table by which payments are disbursed. */
export const feeCells = (language: Language, row: FeeChannel): string[] => [
  ...channelCells(language, row),
  percent(row.feePercentage),
  percent(row.promotionFeeDiscount),
  percent(row.promotionBusinessTake),
];

/** What the row is for. Null: any. */
export function channelCells(
  language: Language,
  { type, network, fundingSource, terms }: Pick<FeeChannel, 'type' | 'network' | 'fundingSource' | 'terms'>,
): string[] {
  const { fees: words, ...of } = calculatorWords[language];
  const sources: Record<string, string> = of.fundingSources;
  return [
    of.types[type],
    network === null ? words.any : networkName(network),
    fundingSource === null ? words.any : (sources[fundingSource] ?? fundingSource),
    terms === 1 ? of.single : of.months(terms),
  ];
}

export const percent = (value: number): string => `${value.toFixed(2)} %`;

/** The calculator's link to the table. */
export const feesLink = ({ language }: Frame) => button('/fees', calculatorWords[language].fees.title, 'second');

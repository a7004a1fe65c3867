import type { FeeChange } from '@cobro/contracts/fee-channels.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { calculatorWords } from '../calculator/calculator-words.ts';
import { channelCells, percent } from '../calculator/fees-page.ts';
import { choice, field } from '../parts/form.ts';
import { badge, button, code, empty, type Tone, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { exactTime } from '../parts/time.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { auditWords } from './audit-words.ts';
import { auditedWords } from './audited-words.ts';
import { settingsLinks } from './links.ts';
import { settingsWords } from './words.ts';

export interface AuditView {
  rows: readonly {
    id: string;
    at: Date;
    personName: string | null;
    what: string;
    target: string | null;
    outcome: 'asked' | 'answered' | 'done' | 'failed';
    status: number | null;
    code: string | null;
    fees: readonly FeeChange[] | null;
    address: string | null;
    requestId: string | null;
  }[];
  /** The address of older rows. */
  older: string | null;
  csv: string;
  people: readonly { personId: string; name: string }[];
  filters: { what: string | undefined; personId: string | undefined; from: string | undefined; to: string | undefined };
}

const tones: Record<AuditView['rows'][number]['outcome'], Tone> = {
  asked: 'quiet',
  answered: 'quiet',
  done: 'good',
  failed: 'bad',
};

export function auditPage(frame: Frame, { rows, older, csv, people, filters }: AuditView): Content {
  const words = settingsWords[frame.language];
  const { none } = auditWords[frame.language];
  const isFiltered = Object.values(filters).some((one) => one !== undefined);
  return {
    status: 200,
    title: words.audit,
    section: 'settings',
    action: button(csv, auditWords[frame.language].csv, 'second'),
    main: html`${settingsLinks(frame)}${filterForm(frame, people, filters)}
      ${rows.length === 0 ? empty({ title: words.nothing, text: isFiltered ? none : words.auditWhy }) : auditTable(frame, rows)}
      ${older && html`<p class="pager">${button(older, words.older, 'second')}</p>`}`,
  };
}

function filterForm(frame: Frame, people: AuditView['people'], filters: AuditView['filters']): Html {
  const words = auditWords[frame.language];
  const { who, what } = settingsWords[frame.language];
  const names = people.map(({ personId, name }) => [personId, name] as const);
  const day = (name: 'from' | 'to') =>
    field(frame, { name, label: words[name], type: 'date', value: filters[name], isOptional: true, isBare: true });
  return html`<form method="get" action="/settings/audit" class="filters" role="search">
    <div class="filter-grid">
      ${choice({ name: 'what', label: what, value: filters.what, options: [['', words.all], ...words.groups] })}
      ${choice({ name: 'who', label: who, value: filters.personId, options: [['', words.everybody], ...names] })}
      ${day('from')}${day('to')}
    </div>
    <p class="actions"><button class="button">${words.show}</button></p>
  </form>`;
}

function auditTable({ language }: Frame, rows: AuditView['rows']): Html {
  const words = settingsWords[language];
  const known = auditedWords[language];
  return table({
    caption: words.audit,
    columns: [
      { label: words.when },
      { label: words.who },
      { label: words.what, kind: 'main' },
      { label: words.outcome, kind: 'status' },
      { label: words.target },
      { label: words.from },
    ],
    rows: rows.map((row) => [
      exactTime(language, row.at.toISOString()),
      row.personName === null ? null : written(row.personName),
      html`<span>${known[row.what] ?? code(row.what)}${row.fees?.map((change) => feeChange(language, row.outcome, change))}</span>`,
      html`<span>${badge(tones[row.outcome], words.outcomes[row.outcome])} ${row.status}${row.code && html`<br />${refusalCode(row.code)}`}</span>`,
      row.target === null ? null : code(row.target),
      html`<span>${row.address}${row.requestId && html`<br /><span class="quiet">${code(row.requestId)}</span>`}</span>`,
    ]),
  });
}

/** `CAPTURE_AMOUNT_EXCEEDS_HOLD` breaks between its words. */
const refusalCode = (text: string): Html =>
  html`<code translate="no">${text.split('_').map((word, i) => html`${i > 0 && html`_<wbr />`}${word}`)}</code>`;

const rates = ['feePercentage', 'promotionFeeDiscount', 'promotionBusinessTake'] as const;

/** An asked change shows the wanted rates, an answered one each rate that has changed. */
function feeChange(language: Language, outcome: string, { before, after, ...channel }: FeeChange): Html {
  const { columns, fees } = calculatorWords[language];
  const { added, removed } = auditWords[language].fees;
  const names = {
    feePercentage: columns.fee,
    promotionFeeDiscount: fees.discount,
    promotionBusinessTake: fees.promotion,
  };
  const lines = rates.flatMap((rate) => {
    const [old, now] = [before?.[rate], after?.[rate]];
    if (old === now) return [];
    const shown = [old, now]
      .filter((value) => value !== undefined)
      .map((value) => percent(value).replace(' ', '\u00A0'));
    return [`${names[rate]} ${shown.join(' → ')}`];
  });
  const kind = outcome === 'asked' ? '' : before === null ? `, ${added}` : after === null ? `, ${removed}` : '';
  return html`<br /><span class="quiet">${channelCells(language, channel).join(', ')}${kind}${lines.length > 0 && `: ${lines.join('; ')}`}</span>`;
}

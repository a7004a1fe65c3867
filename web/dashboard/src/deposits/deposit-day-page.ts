import type { BankLine } from '@cobro/contracts/settlements.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { actionForm, field } from '../parts/form.ts';
import { amount, button, centavosIn, signedPesos, unavailable } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { dayOf, monthOf } from '../parts/time.ts';
import { paymentHref, shortCard, statusBadge } from '../payments/payment-parts.ts';
import { paymentWords } from '../payments/payment-words.ts';
import type { PaymentRow } from '../payments/payments-page.ts';
import { stairWords } from '../payments/stair-words.ts';
import { exportWords } from '../payments/export-words.ts';
import { type Content, type Frame, mayOperate } from '../shell/frame.ts';
import { bankLines } from './bank-lines.ts';
import { depositWords } from './deposit-words.ts';
import { type DepositDay, differenceOf, less, sumsOf } from './deposits-page.ts';

/** A payment of the list, with what its merchant gets, in pesos. */
export interface DepositRow extends PaymentRow {
  fee: number | null;
  feeIva: number | null;
  take: number | null;
}

interface Rows {
  rows: readonly DepositRow[];
  hasMore: boolean;
}

export interface DepositDayView {
  day: string;
  /** These are null if they did not come in time. */
  sums: DepositDay | null;
  lines: readonly BankLine[] | null;
  paid: Rows | null;
  refunded: Rows | null;
  /** What was entered; centavos. */
  deposit: bigint | null;
  /** The typed text, if it is no amount. */
  wrong: string | null;
}

/** GET, and refused POST /deposits/{day} */
export function depositDayPage(frame: Frame, view: DepositDayView): Content {
  const { language } = frame;
  const { day, sums, lines, paid, refunded, wrong } = view;
  const words = depositWords[language];
  return {
    status: wrong === null ? 200 : 400,
    title: words.ofDay(dayOf(language, day)),
    section: 'deposits',
    trail: { href: `/deposits?month=${day.slice(0, 7)}`, label: words.month(monthOf(language, day.slice(0, 7))) },
    main: html`<div class="stack">
      <div class="panels even">
        <section class="panel">
          <h2>${words.columns.expected}</h2>
          ${sums === null ? unavailable(language) : sumFacts(language, sums)}
        </section>
        ${mayOperate(frame) && depositForm(frame, view)}
      </div>
      ${rowsOf(language, 'paid', day, paid)} ${rowsOf(language, 'refunded', day, refunded)}
      ${bankLines(language, lines)}
    </div>`,
  };
}

function sumFacts(language: Language, day: DepositDay): Html {
  const { columns } = depositWords[language];
  const { amount: paid, fees, take, refunds } = sumsOf([day]);
  const { deposit } = day;
  const row = (label: string, value: Html) => html`<li><span>${label}</span> ${value}</li>`;
  return html`<ul class="rows">
    ${row(columns.amount, amount(paid))} ${row(columns.fees, less(fees))} ${row(columns.take, amount(take))}
    ${row(columns.refunds, less(refunds))}
    ${row(columns.expected, html`<strong>${amount(take - refunds)}</strong>`)}
    ${deposit !== null && row(columns.deposit, amount(deposit))}
    ${deposit !== null && row(columns.difference, differenceOf(language, take - refunds, deposit))}
  </ul>`;
}

function depositForm(frame: Frame, { day, deposit, wrong }: DepositDayView): Html {
  const { form } = depositWords[frame.language];
  const value = wrong ?? (deposit === null ? undefined : signedPesos(deposit).replace('$', ''));
  return html`<section class="panel">
    <h2>${form.title}</h2>
    ${actionForm(frame, {
      action: `/deposits/${day}`,
      fields: field(frame, {
        name: 'amount',
        label: form.label,
        hint: form.hint,
        error: wrong === null ? undefined : form.wrong,
        value,
        isAmount: true,
        isOptional: true,
        isBare: true,
        maxlength: 20,
      }),
      button: form.button,
    })}
  </section>`;
}

function rowsOf(language: Language, kind: 'paid' | 'refunded', day: string, found: Rows | null): Html {
  const { rows: words } = depositWords[language];
  const filter = kind === 'paid' ? 'settledOn' : 'refundedOn';
  return html`<section class="panel">
    <h2>${words[kind]}</h2>
    ${
      found === null
        ? unavailable(language)
        : found.rows.length === 0
          ? html`<p class="quiet">${words.none}</p>`
          : html`${rowTable(language, words[kind], found.rows)}
              ${found.hasMore && html`<p class="more quiet">${words.more}</p>`}
              <p class="pager">${button(`/payments.csv?${filter}=${day}`, exportWords[language].button, 'second')}</p>`
    }
  </section>`;
}

const pesosOr = (pesos: number | null): Html | null => (pesos === null ? null : amount(centavosIn(pesos)));

function rowTable(language: Language, caption: string, rows: readonly DepositRow[]): Html {
  const { columns } = paymentWords[language];
  const { steps } = stairWords[language];
  return table({
    caption,
    columns: [
      { label: columns.operationCode, kind: 'main' },
      { label: columns.card },
      { label: columns.status, kind: 'status' },
      { label: columns.amount, kind: 'amount' },
      { label: steps.FEE, kind: 'amount' },
      { label: steps.FEE_IVA, kind: 'amount' },
      { label: steps.TAKE, kind: 'amount' },
    ],
    rows: rows.map((row) => [
      html`<a href="${paymentHref(row.id)}">${row.operationCode}</a>`,
      shortCard(row.card),
      statusBadge(language, row.status),
      amount(centavosIn(row.amount)),
      pesosOr(row.fee),
      pesosOr(row.feeIva),
      pesosOr(row.take),
    ]),
  });
}

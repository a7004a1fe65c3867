import type { BankLine, SettledDay } from '@cobro/contracts/settlements.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { amount, badge, button, centavosIn, facts, inFigures, unavailable } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { monthOf, weekdayOf } from '../parts/time.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { bankLines } from './bank-lines.ts';
import { depositWords } from './deposit-words.ts';

/** A day of the API, in pesos, with what its merchant entered, in centavos. */
export interface DepositDay extends SettledDay {
  deposit: bigint | null;
}

export interface DepositsView {
  /** `YYYY-MM`, and today as `YYYY-MM-DD`, in Mexico City. */
  month: string;
  today: string;
  /** These two are null if they did not come in time. */
  days: readonly DepositDay[] | null;
  lines: readonly BankLine[] | null;
}

/** GET /deposits: what each day of a month should have brought to the bank, and what it did. */
export function depositsPage({ language }: Frame, { month, today, days, lines }: DepositsView): Content {
  const words = depositWords[language];
  const shown = days?.filter(({ day }) => day <= today) ?? null;
  return {
    status: shown === null ? 503 : 200,
    title: words.month(monthOf(language, month)),
    section: 'deposits',
    main: html`<p class="explain">${words.explain}</p>
      ${months(language, month, today)}
      <div class="stack">
        ${shown === null ? unavailable(language) : html`${dayTable(language, shown)} ${taxPanel(language, shown)}`}
        ${bankLines(language, lines)}
      </div>`,
  };
}

const monthAfter = (month: string, count: number) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + count, 1)).toISOString().slice(0, 7);

function months(language: Language, month: string, today: string): Html {
  const { before, after } = depositWords[language];
  const next = monthAfter(month, 1);
  return html`<p class="actions months">
    ${button(`/deposits?month=${monthAfter(month, -1)}`, `‹ ${before}`, 'second')}
    ${next <= today.slice(0, 7) && button(`/deposits?month=${next}`, `${after} ›`, 'second')}
  </p>`;
}

interface Sums {
  payments: number;
  amount: bigint;
  fees: bigint;
  take: bigint;
  refunds: bigint;
}

/** Sums in centavos. Refunds count with what the merchant had got for them. */
export const sumsOf = (days: readonly SettledDay[]): Sums =>
  days.reduce(
    (sum, day) => ({
      payments: sum.payments + day.payments,
      amount: sum.amount + centavosIn(day.amount),
      fees: sum.fees + centavosIn(day.amount) - centavosIn(day.take),
      take: sum.take + centavosIn(day.take),
      refunds: sum.refunds + centavosIn(day.refunds.take),
    }),
    { payments: 0, amount: 0n, fees: 0n, take: 0n, refunds: 0n },
  );

/** A difference is shown with its sign; none, in a word. */
export function differenceOf(language: Language, expected: bigint, deposit: bigint): Html {
  const difference = deposit - expected;
  return difference === 0n
    ? badge('good', depositWords[language].matches)
    : html`<strong class="differs">${amount(difference)}</strong>`;
}

/** A negative amount; zero is not written as −$0.00. */
export const less = (centavos: bigint): Html => amount(centavos === 0n ? 0n : -centavos);

function dayTable(language: Language, days: readonly DepositDay[]): Html {
  const { columns, title, total, enter } = depositWords[language];
  const kinds = ['payments', 'take', 'refunds', 'expected', 'deposit', 'difference'] as const;
  const cells = ({ payments, take, refunds }: Sums) => [
    inFigures(payments),
    amount(take),
    less(refunds),
    amount(take - refunds),
  ];
  const busy = days.filter(({ payments, refunds, deposit }) => payments + refunds.payments > 0 || deposit !== null);
  const entered = days.reduce((sum, { deposit }) => sum + (deposit ?? 0n), 0n);
  return table({
    caption: title,
    columns: [
      { label: columns.day, kind: 'main' },
      ...kinds.map((name) => ({ label: columns[name], kind: 'amount' as const })),
    ],
    rows: busy.toReversed().map((day) => {
      const sums = sumsOf([day]);
      const href = `/deposits/${day.day}`;
      return [
        html`<a href="${href}">${weekdayOf(language, day.day)}</a>`,
        ...cells(sums),
        day.deposit === null ? html`<a href="${href}">${enter}</a>` : amount(day.deposit),
        day.deposit === null ? null : differenceOf(language, sums.take - sums.refunds, day.deposit),
      ];
    }),
    foot: [total, ...cells(sumsOf(days)), amount(entered), null],
  });
}

function taxPanel(language: Language, days: readonly DepositDay[]): Html {
  const { tax } = depositWords[language];
  const sum = (of: (day: DepositDay) => number) => amount(days.reduce((all, day) => all + centavosIn(of(day)), 0n));
  return html`<section class="panel">
    <h2>${tax.title}</h2>
    <p class="explain quiet">${tax.text}</p>
    ${facts([
      [tax.fee, sum(({ fee }) => fee)],
      [tax.iva, sum(({ feeIva }) => feeIva)],
      [tax.promotion, sum(({ promotionTake }) => promotionTake)],
    ])}
  </section>`;
}

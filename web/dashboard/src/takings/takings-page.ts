import type { Takings } from '@cobro/contracts/reports.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { field } from '../parts/form.ts';
import { amount, centavosIn, inFigures, unavailable, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { dayOf, timeElement } from '../parts/time.ts';
import { paymentsHref } from '../payments/payments-page.ts';
import { sellerWords } from '../sellers/seller-words.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { takingsWords, type TakingsWords } from './takings-words.ts';

const parts = ['salespeople', 'branches', 'terminals'] as const;
type Part = (typeof parts)[number];
/** Takings as a client gets them. */
type ShownTakings = Omit<Takings, Part> & { readonly [P in Part]: readonly Takings[P][number][] };

export interface TakingsView {
  day: string;
  today: string;
  /** Null if it did not come in time. */
  takings: ShownTakings | null;
  printedAt: Date;
}

/** GET /takings */
export function takingsPage(frame: Frame, { day, today, takings, printedAt }: TakingsView): Content {
  const { language } = frame;
  const words = takingsWords[language];
  const dayField = { name: 'day', label: words.day, value: day, type: 'date', isBare: true } as const;
  return {
    status: 200,
    title: words.ofDay(dayOf(language, day)),
    section: 'sellers',
    trail: { href: '/sellers', label: sellerWords[language].title },
    main: html`<form action="/takings" class="no-print search low">
        ${field(frame, dayField)} <button class="button second">${words.show}</button>
      </form>
      <p class="explain quiet no-print">${words.explain} ${words.print}</p>
      <div class="stack receipt">
        ${takings === null ? unavailable(language) : takenOf(language, takings, words)}
        ${day === today && html`<p class="quiet small">${words.printedAt}: ${timeElement(language, printedAt.toISOString())}</p>`}
      </div>`,
  };
}

function takenOf(language: Language, takings: ShownTakings, words: TakingsWords): Html {
  if (takings.payments === 0 && takings.refunds.payments === 0) return html`<p class="quiet">${words.none}</p>`;
  return html`${parts.map((part) => partOf(part, takings, words))}`;
}

function partOf(part: Part, takings: ShownTakings, words: TakingsWords): Html {
  const { columns } = words;
  const figures = ({ payments, amount: paid, refunds }: Pick<Takings, 'payments' | 'amount' | 'refunds'>) => [
    inFigures(payments),
    amount(centavosIn(paid)),
    refunds.payments === 0 ? null : amount(-centavosIn(refunds.amount)),
  ];
  return html`<section class="panel">
    <h2>${words[part]}</h2>
    ${table({
      caption: words[part],
      columns: [
        { label: columns.who, kind: 'main' },
        { label: columns.payments, kind: 'amount' },
        { label: columns.amount, kind: 'amount' },
        { label: columns.refunds, kind: 'amount' },
      ],
      rows: takings[part].map((one) => [linkTo(part, one, takings.day, nameOf(part, one, words)), ...figures(one)]),
      foot: [words.all, ...figures(takings)],
    })}
  </section>`;
}

const filterOf = { salespeople: 'salespersonId', branches: 'branchId', terminals: 'terminalId' } as const;

/** Links to the day's payments; there is no filter for payments of nobody. */
const linkTo = (part: Part, { id }: Takings[Part][number], settledOn: string, name: Html | string): Html | string =>
  id === null ? name : html`<a href="${paymentsHref({ settledOn, [filterOf[part]]: id })}">${name}</a>`;

const nameOf = (part: Part, { id, name }: Takings[Part][number], words: TakingsWords): Html | string => {
  if (id === null) return words.nobody[part];
  return name === null ? words.unnamed : written(name);
};

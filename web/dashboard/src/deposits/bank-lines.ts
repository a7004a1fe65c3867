import type { BankLine } from '@cobro/contracts/settlements.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { amount, centavosIn, inFigures, unavailable, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { depositWords } from './deposit-words.ts';

/** What acquirers reported, summed over the days. Null if it did not come in time. */
export function bankLines(language: Language, lines: readonly BankLine[] | null): Html {
  const { lines: words } = depositWords[language];
  return html`<section class="panel">
    <h2>${words.title}</h2>
    <p class="explain quiet">${words.text}</p>
    ${
      lines === null
        ? unavailable(language)
        : lines.length === 0
          ? html`<p class="quiet">${words.none}</p>`
          : lineTable(language, sumsOf(lines))
    }
  </section>`;
}

interface Sum extends Pick<BankLine, 'acquirer' | 'kind' | 'movements'> {
  gross: bigint;
  fee: bigint | null;
  net: bigint | null;
}

const plus = (a: bigint | null, b: number | null) => (a === null || b === null ? null : a + centavosIn(b));

function sumsOf(lines: readonly BankLine[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { acquirer, kind, movements, gross, fee, net } of lines) {
    const of = sums.get(`${acquirer} ${kind}`) ?? { acquirer, kind, movements: 0, gross: 0n, fee: 0n, net: 0n };
    sums.set(`${acquirer} ${kind}`, {
      ...of,
      movements: of.movements + movements,
      gross: of.gross + centavosIn(gross),
      fee: plus(of.fee, fee),
      net: plus(of.net, net),
    });
  }
  return [...sums.values()];
}

function lineTable(language: Language, sums: readonly Sum[]): Html {
  const { columns, kinds, unknown, title } = depositWords[language].lines;
  const known = (centavos: bigint | null) =>
    centavos === null ? html`<span class="quiet">${unknown}</span>` : amount(centavos);
  return table({
    caption: title,
    columns: [
      { label: columns.acquirer, kind: 'main' },
      { label: columns.kind },
      { label: columns.movements, kind: 'amount' },
      { label: columns.gross, kind: 'amount' },
      { label: columns.fee, kind: 'amount' },
      { label: columns.net, kind: 'amount' },
    ],
    rows: sums.map(({ acquirer, kind, movements, gross, fee, net }) => [
      written(acquirer),
      kinds[kind],
      inFigures(movements),
      amount(gross),
      known(fee),
      known(net),
    ]),
  });
}

import type { DisbursementExplained } from '@cobro/contracts/reports.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { share } from '../parts/bars.ts';
import { amount, centavosIn, unavailable } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { type StairWords, stairWords } from './stair-words.ts';

export interface Staircase {
  steps: readonly DisbursementExplained['steps'][number][];
  shares: readonly DisbursementExplained['shares'][number][];
  refundedAt: string | null;
}

/** From the amount to what the merchant gets, a line for each step. Null if no money has moved. */
export function staircase(language: Language, explained: Staircase | null, hasMoved: boolean): Html | null {
  const words = stairWords[language];
  if (!hasMoved) return null;
  return html`<section class="panel" id="disbursement">
    <h2>${words.title}</h2>
    ${
      explained === null
        ? unavailable(language)
        : explained.steps.length === 0
          ? html`<p class="quiet">${words.unknown}</p>`
          : stairsOf(explained, words)
    }
  </section>`;
}

function stairsOf({ steps, shares, refundedAt }: Staircase, words: StairWords): Html {
  const [whole = 0] = steps.map(({ amount: pesos }) => pesos);
  return html`${refundedAt !== null && html`<p class="explain">${words.refunded}</p>`}
    <ol class="stairs">
      ${steps.map(
        ({ step, amount: pesos, left, formula }) =>
          html`<li${step === 'TAKE' && html` class="last"`}>
            <span>${words.steps[step]}${formula !== null && html` <span class="quiet small formula">${formula}</span>`}</span>
            ${amount(centavosIn(pesos))} ${share(left, whole)}
          </li>`,
      )}
    </ol>
    ${shares.length > 0 && sharesOf(shares, words)}`;
}

/** What merchant and sponsor bear and get, beside each other. */
function sharesOf(shares: Staircase['shares'], { shared }: StairWords): Html {
  const line = ({ share: name, merchant, sponsor, total, formula }: Staircase['shares'][number]) => [
    html`<span>${shared.shares[name]}${formula !== null && html` <span class="quiet small formula">${formula}</span>`}</span>`,
    ...[merchant, sponsor, total].map((pesos) => amount(centavosIn(pesos))),
  ];
  const take = shares.find((one) => one.share === 'TAKE');
  return html`<h3 class="shares">${shared.title}</h3>
    ${table({
      caption: shared.title,
      columns: [
        { label: shared.part, kind: 'main' },
        { label: shared.merchant, kind: 'amount' },
        { label: shared.sponsor, kind: 'amount' },
        { label: shared.total, kind: 'amount' },
      ],
      rows: shares.filter((one) => one !== take).map(line),
      ...(take && { foot: line(take) }),
    })}`;
}

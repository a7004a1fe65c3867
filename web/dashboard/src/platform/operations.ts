import type { ComparedBooks, OpenOperation } from '@cobro/contracts/platform.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { notice } from '../parts/notice.ts';
import { amount, badge, centavosIn, code, inFigures, unavailable, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { dayOf, timeElement } from '../parts/time.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { operationsWords } from './operations-words.ts';

export interface OperationsView {
  /** This and the others are null if they did not come in time. */
  open: { count: number; items: readonly OpenOperation[] } | null;
  /** Events that a consumer could not apply. */
  parked: number | null;
  /** The newest day first. */
  compared: readonly ComparedBooks[] | null;
  /** The last day for which all books should be compared by now. */
  due: string;
}

/** GET /platform/operations */
export function operationsPage({ language }: Frame, { open, parked, compared, due }: OperationsView): Content {
  const words = operationsWords[language];
  return {
    status: 200,
    title: words.title,
    section: 'platformOperations',
    main: html`<p class="lead">${words.why}</p>
      <div class="stack">
        <section class="panel">
          <h2>${words.open.title}</h2>
          ${open === null ? unavailable(language) : openOnes(language, open)}
        </section>
        <section class="panel">
          <h2>${words.parked.title}</h2>
          ${parked === null ? unavailable(language) : parkedOnes(language, parked)}
        </section>
        <section class="panel">
          <h2>${words.compared.title}</h2>
          ${compared === null ? unavailable(language) : comparedOnes(language, compared, due)}
        </section>
      </div>`,
  };
}

function openOnes(language: Language, { count, items }: NonNullable<OperationsView['open']>): Html {
  const { open: words } = operationsWords[language];
  if (count === 0) return html`<p class="quiet">${words.none}</p>`;
  return html`<p class="explain"><strong>${inFigures(count)}</strong> ${words.text} ${code('admin operations list --minutes 1')}</p>
    ${table({
      caption: words.title,
      columns: [
        { label: words.purpose, kind: 'main' },
        { label: words.acquirer },
        { label: words.since },
        { label: words.inquiries, kind: 'amount' },
        { label: words.amount, kind: 'amount' },
      ],
      rows: items.map(({ id, purpose, acquirer, claimedAt, inquiries, amount: pesos }) => [
        withBelow(words.purposes[purpose] ?? code(purpose), code(id)),
        code(acquirer),
        timeElement(language, claimedAt),
        inFigures(inquiries),
        pesos === null ? null : amount(centavosIn(pesos)),
      ]),
    })}`;
}

/** The second text has its own line, because it may be long. */
const withBelow = (first: Html | string, below: Html): Html =>
  html`<span>${first}<br /><span class="quiet small">${below}</span></span>`;

function parkedOnes(language: Language, parked: number): Html {
  const { parked: words } = operationsWords[language];
  if (parked === 0) return html`<p class="quiet">${words.none}</p>`;
  return html`<p class="explain"><strong>${inFigures(parked)}</strong> ${words.text} ${code('admin parked list')}</p>`;
}

function comparedOnes(language: Language, compared: NonNullable<OperationsView['compared']>, due: string): Html {
  const { compared: words } = operationsWords[language];
  if (compared.length === 0) return html`<p class="quiet">${words.none} ${code('admin reconcile')}</p>`;
  return html`${behindOnes(language, compared, due)} ${table({
    caption: words.title,
    columns: [
      { label: words.day, kind: 'main' },
      { label: words.books },
      { label: words.outcome },
      { label: words.differences, kind: 'amount' },
      { label: words.finishedAt },
    ],
    rows: compared.map(({ of, day, differences, notCompared, finishedAt }) => [
      html`<span class="whole">${dayOf(language, day)}</span>`,
      html`<span class="whole">${words.of[of] ?? code(of)}</span>`,
      notCompared !== null
        ? withBelow(badge('bad', words.notCompared), written(notCompared))
        : differences === 0
          ? badge('good', words.alike)
          : badge('bad', words.differ),
      inFigures(differences),
      timeElement(language, finishedAt),
    ]),
  })}`;
}

/** Books whose newest day is too old: they have not been compared since. */
function behindOnes(language: Language, compared: NonNullable<OperationsView['compared']>, due: string): Html[] {
  const { compared: words } = operationsWords[language];
  const newest = new Map(compared.toReversed().map(({ of, day }) => [of, day]));
  return [...newest]
    .filter(([, day]) => day < due)
    .map(([of, day]) => {
      const title = words.behind(words.of[of] ?? of, dayOf(language, day));
      return notice(language, { kind: 'bad', title, text: code('admin reconcile') });
    });
}

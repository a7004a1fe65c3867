import { html, type Html } from '@cobro/html/html.ts';

type Cell = Html | string | null;

export interface Column {
  label: string;
  /** `amount`: right-aligned, digits of one width. `main`: the first line of a card on a phone. */
  kind?: 'amount' | 'main' | 'status';
}

export interface TableView {
  /** Read out by screen readers; shown if `isTitled`. */
  caption: string;
  columns: readonly Column[];
  rows: readonly (readonly Cell[])[];
  isTitled?: boolean;
  /** The row of sums at the end. */
  foot?: readonly Cell[];
}

/**
 * A table that becomes a card for each row on a phone. The roles are written out, because browsers drop them if a style
 * sheet turns rows into blocks.
 */
export function table({ caption, columns, rows, isTitled, foot }: TableView): Html {
  const cells = (row: readonly Cell[]) =>
    row.map((cell, i) => {
      const { label = '', kind } = columns[i] ?? {};
      return html`<td role="cell" data-label="${label}"${kind && html` class="${kind}"`}>${cell ?? '–'}</td>`;
    });
  return html`<div class="table">
    <table role="table">
      <caption${!isTitled && html` class="unseen"`}>${caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map(({ label, kind }) => html`<th role="columnheader" scope="col"${kind && html` class="${kind}"`}>${label}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map((row) => html`<tr role="row">${cells(row)}</tr>`)}
      </tbody>
      ${foot && html`<tfoot role="rowgroup"><tr role="row">${cells(foot)}</tr></tfoot>`}
    </table>
  </div>`;
}

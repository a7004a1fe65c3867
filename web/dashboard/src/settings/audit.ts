import { html } from '@cobro/html/html.ts';
import { timeElement } from '../parts/time.ts';
import type { Content, Frame } from '../shell/frame.ts';
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
    address: string | null;
    requestId: string | null;
  }[];
  /** The address of older rows. */
  older: string | null;
}

export function auditPage(frame: Frame, { rows, older }: AuditView): Content {
  const words = settingsWords[frame.language];
  const row = (one: AuditView['rows'][number]) => html`<tr>
    <td data-label="${words.when}">${timeElement(frame.language, one.at.toISOString())}</td>
    <td data-label="${words.who}"><bdi translate="no">${one.personName ?? '–'}</bdi></td>
    <td data-label="${words.what}"><code>${one.what}</code></td>
    <td data-label="${words.target}"><code>${one.target ?? '–'}</code></td>
    <td data-label="${words.outcome}">${words.outcomes[one.outcome]} ${one.status} ${one.code}</td>
    <td data-label="${words.from}">${one.address ?? '–'} <span class="quiet">${one.requestId}</span></td>
  </tr>`;
  const heads = [words.when, words.who, words.what, words.target, words.outcome, words.from];
  return {
    status: 200,
    title: words.audit,
    section: 'settings',
    main: html`${settingsLinks(frame)}
      ${
        rows.length === 0
          ? html`<p>${words.nothing}</p>`
          : html`<table class="rows">
              <thead>
                <tr>
                  ${heads.map((head) => html`<th scope="col">${head}</th>`)}
                </tr>
              </thead>
              <tbody>
                ${rows.map(row)}
              </tbody>
            </table>`
      }
      ${older && html`<p><a href="${older}">${words.older}</a></p>`}`,
  };
}

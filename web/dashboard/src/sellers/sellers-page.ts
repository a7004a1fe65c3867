import type { Branch, Salesperson } from '@cobro/contracts/salespeople.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { actionForm, field } from '../parts/form.ts';
import { badge, button, code, empty, unavailable, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { type Content, type Frame, mayOperate } from '../shell/frame.ts';
import {
  branchHref,
  personFields,
  problemStatus,
  sellerHref,
  sellerNotice,
  type SellerProblem,
} from './seller-parts.ts';
import { sellerWords, type SellerWords } from './seller-words.ts';

interface Listed<T> {
  rows: readonly T[];
  /** How many are not shown. */
  more: number;
}

export interface SellersView {
  /** These are null if they did not come in time. */
  people: Listed<Salesperson> | null;
  branches: Listed<Branch> | null;
  /** The id of the form for a branch: sent twice, it makes one. */
  formId: string;
  /** What was typed into the form that was refused. */
  typed: { name?: string; username?: string; branch?: string; branchName?: string };
  done: 'created' | 'changed' | null;
  problem: SellerProblem | null;
}

/** GET /sellers, and its refused forms. */
export function sellersPage(frame: Frame, view: SellersView): Content {
  const { language } = frame;
  const words = sellerWords[language];
  return {
    status: problemStatus(view.problem),
    title: words.title,
    section: 'sellers',
    main: html`${sellerNotice(language, view.problem, view.done)}
      <p class="explain quiet">${words.explain}</p>
      <p class="actions">${button('/takings', words.takings, 'second')}</p>
      <div class="stack">
        <section class="panel">
          <h2>${words.people}</h2>
          ${peopleOf(frame, view, words)}
        </section>
        <section class="panel">
          <h2>${words.branches}</h2>
          ${branchesOf(frame, view, words)}
        </section>
        ${mayOperate(frame) && html`<div class="panels even">${newPerson(frame, view, words)} ${newBranch(frame, view, words)}</div>`}
      </div>`,
  };
}

const moreOf = ({ more }: Listed<unknown>, words: SellerWords) =>
  more > 0 && html`<p class="more quiet">${words.more(more)}</p>`;

function peopleOf(frame: Frame, { people }: SellersView, words: SellerWords): Html {
  if (people === null) return unavailable(frame.language);
  if (people.rows.length === 0) return empty(words.none);
  const { columns, statuses } = words;
  return html`${table({
    caption: words.people,
    columns: [
      { label: columns.name, kind: 'main' },
      { label: columns.username },
      { label: columns.branch },
      { label: columns.status, kind: 'status' },
    ],
    rows: people.rows.map(({ id, name, username, status, businessStoreBranch }) => [
      mayOperate(frame) ? html`<a href="${sellerHref(id)}">${written(name)}</a>` : written(name),
      code(username),
      businessStoreBranch && written(businessStoreBranch.name),
      badge(status === 'ACTIVE' ? 'good' : 'quiet', statuses[status]),
    ]),
  })}
  ${moreOf(people, words)}`;
}

function branchesOf(frame: Frame, { branches }: SellersView, words: SellerWords): Html {
  if (branches === null) return unavailable(frame.language);
  if (branches.rows.length === 0) return html`<p class="quiet">${words.noBranches}</p>`;
  return html`<ul class="rows">
      ${branches.rows.map(
        ({ id, name }) =>
          html`<li><span>${written(name)}</span> ${mayOperate(frame) && html`<a href="${branchHref(id)}" aria-label="${words.change}: ${name}">${words.change}</a>`}</li>`,
      )}
    </ul>
    ${moreOf(branches, words)}`;
}

function newPerson(frame: Frame, { typed, branches }: SellersView, words: SellerWords): Html {
  const hint = words.usernameHint;
  const username = { name: 'username', label: words.username, hint, value: typed.username, maxlength: 50 };
  return html`<section class="panel">
    <h2>${words.newPerson}</h2>
    ${actionForm(frame, {
      action: '/sellers',
      fields: [
        ...personFields(frame, typed, { branches: branches?.rows ?? [], mayBeNone: true }),
        field(frame, username, 'person-'),
      ],
      button: words.add,
    })}
  </section>`;
}

function newBranch(frame: Frame, { typed, formId }: SellersView, words: SellerWords): Html {
  const name = { name: 'branchName', label: words.name, value: typed.branchName, maxlength: 255 };
  return html`<section class="panel">
    <h2>${words.newBranch}</h2>
    ${actionForm(frame, {
      action: '/sellers/branches',
      fields: html`<input type="hidden" name="formId" value="${formId}" />${field(frame, name)}`,
      button: words.add,
      kind: 'second',
    })}
  </section>`;
}

import { html, type Html } from '@cobro/html/html.ts';
import { actionForm, choice, field } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import { pager } from '../parts/pager.ts';
import { badge, button, code, empty, inFigures, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { timeOf } from '../parts/time.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { feesHref } from './fees-of-organization.ts';
import { placeWords } from './place-words.ts';
import { platformWords } from './words.ts';

interface Row {
  id: string;
  name: string;
  owners: number;
  people: number;
  lentUntil: Date | null;
}

export interface OrganizationsView {
  q: string;
  rows: readonly Row[];
  next: string | null;
  problem: string | undefined;
  status: number;
  /** Whether the person has just created one. */
  isDone: boolean;
}

export function organizationsPage(
  frame: Frame,
  { q, rows, next, problem, status, isDone }: OrganizationsView,
): Content {
  const { language } = frame;
  const words = platformWords[language];
  return {
    status,
    title: words.title,
    section: 'platform',
    action: button('/platform/organizations/new', placeWords[language].organization.title),
    main: html`${isDone && notice(language, { kind: 'good', title: placeWords[language].done.organization })}
      ${problem !== undefined && notice(language, { kind: 'bad', title: problem })}
      <p class="lead">${words.why}</p>
      <form method="get" action="/platform/organizations" class="filters" role="search">
        ${field(frame, { name: 'q', label: words.search, type: 'search', value: q, isOptional: true, isBare: true })}
        <p class="actions"><button class="button">${words.find}</button></p>
      </form>
      ${rows.length === 0 ? empty({ title: words.none, text: words.noneWhy }) : organizationTable(frame, rows)}
      ${pager(language, { next, first: null })}`,
  };
}

function organizationTable(frame: Frame, rows: readonly Row[]): Html {
  const { language } = frame;
  const words = platformWords[language];
  return table({
    caption: words.title,
    columns: [
      { label: words.name, kind: 'main' },
      { label: words.people, kind: 'amount' },
      { label: words.lent },
      { label: placeWords[language].fees.title },
      { label: words.action },
    ],
    rows: rows.map(({ id, name, owners, people, lentUntil }) => [
      html`<span><strong>${written(name)}</strong><br /><span class="quiet">${code(id)}</span></span>`,
      html`<span>${inFigures(people)}${owners === 0 && html` ${badge('wait', words.noOwner)}`}</span>`,
      lentUntil && words.until(timeOf(language, lentUntil)),
      html`<a class="whole" href="${feesHref(id)}" aria-label="${placeWords[language].fees.of(name)}">${placeWords[language].fees.title}</a>`,
      actionsOn(frame, id, owners, lentUntil),
    ]),
  });
}

function actionsOn(frame: Frame, id: string, owners: number, lentUntil: Date | null): Html | null {
  const words = platformWords[frame.language];
  const action = `/platform/organizations/${id}`;
  if (owners === 0) {
    const fields = field(frame, { name: 'email', label: words.firstOwner, type: 'email' }, `${id}-`);
    return actionForm(frame, { action: `${action}/invite`, fields, button: words.invite, kind: 'second' });
  }
  return lentUntil && actionForm(frame, { action: `${action}/look`, fields: [], button: words.look, kind: 'second' });
}

/** For an owner, below the people of an organization. */
export function lending(frame: Frame, lentUntil: Date | null): Html {
  const { language } = frame;
  const words = platformWords[language];
  const options = ['1', '4', '8', '24'].map((hours) => [hours, hours] as const);
  const fields = choice({ name: 'hours', label: words.hours, value: '4', options });
  return html`<h2>${words.lendTitle}</h2>
    <p>${lentUntil === null ? words.lendWhy : words.lentUntil(timeOf(language, lentUntil))}</p>
    ${
      lentUntil === null
        ? actionForm(frame, { action: '/settings/lend', fields, button: words.lend, kind: 'second' })
        : actionForm(frame, { action: '/settings/lend/end', fields: [], button: words.endLending, kind: 'second' })
    }`;
}

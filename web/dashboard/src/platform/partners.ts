import { html, type Html } from '@cobro/html/html.ts';
import { actionForm, field } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import { pager } from '../parts/pager.ts';
import { badge, button, code, empty, inFigures, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { placeWords } from './place-words.ts';
import { platformWords } from './words.ts';

/** A sales partner, who is known here by its organizations. */
interface Row {
  id: string;
  organizations: number;
  /** One of them, by which people recognize the partner. */
  example: string;
  owners: number;
  people: number;
}

export interface PartnersView {
  rows: readonly Row[];
  next: string | null;
  problem: string | undefined;
  status: number;
  /** Whether the person has just created one. */
  isDone: boolean;
}

/** GET /platform/partners */
export function partnersPage(frame: Frame, { rows, next, problem, status, isDone }: PartnersView): Content {
  const { language } = frame;
  const words = platformWords[language].partners;
  return {
    status,
    title: words.title,
    section: 'platformPartners',
    action: button('/platform/partners/new', placeWords[language].partner.title),
    main: html`${isDone && notice(language, { kind: 'good', title: placeWords[language].done.partner })}
      ${problem !== undefined && notice(language, { kind: 'bad', title: problem })}
      <p class="lead">${words.why}</p>
      ${rows.length === 0 ? empty({ title: words.none, text: words.noneWhy }) : partnerTable(frame, rows)}
      ${pager(language, { next, first: null })}`,
  };
}

function partnerTable(frame: Frame, rows: readonly Row[]): Html {
  const { people, action, noOwner, partners: words } = platformWords[frame.language];
  return table({
    caption: words.title,
    columns: [
      { label: words.partner, kind: 'main' },
      { label: words.organizations, kind: 'amount' },
      { label: people, kind: 'amount' },
      { label: action },
    ],
    rows: rows.map(({ id, organizations, example, owners, people: count }) => [
      html`<span><strong>${words.example(written(example))}</strong><br /><span class="quiet">${code(id)}</span></span>`,
      inFigures(organizations),
      html`<span>${inFigures(count)}${owners === 0 && html` ${badge('wait', noOwner)}`}</span>`,
      owners === 0 ? inviteForm(frame, id) : null,
    ]),
  });
}

function inviteForm(frame: Frame, id: string): Html {
  const words = platformWords[frame.language];
  const fields = field(frame, { name: 'email', label: words.firstOwner, type: 'email' }, `${id}-`);
  return actionForm(frame, { action: `/platform/partners/${id}/invite`, fields, button: words.invite, kind: 'second' });
}

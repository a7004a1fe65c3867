import type { OutwardEvent } from '@cobro/contracts/outward-events.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { choice, field } from '../parts/form.ts';
import { pager } from '../parts/pager.ts';
import { button, code, empty, facts, lines, unavailable } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { exactTime, timeElement } from '../parts/time.ts';
import { paymentHref } from '../payments/payment-parts.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { developerTabs } from './developer-parts.ts';
import { developerWords } from './developer-words.ts';
import { eventWords } from './event-words.ts';

const EVENTS = '/developers/events';
const eventHref = (id: string) => `${EVENTS}/${encodeURIComponent(id)}`;

export const eventFamilies = Object.keys(eventWords.en.families);

/** What a row shows. */
export type EventRow = Pick<OutwardEvent, 'id' | 'type' | 'createdAt' | 'object'>;

export interface EventsView {
  filters: { type: string; objectId: string };
  found:
    | { kind: 'rows'; rows: readonly EventRow[]; nextCursor: string | null; isFirstPage: boolean }
    | { kind: 'wrong-filter' }
    | { kind: 'unavailable' };
}

/** GET /developers/events */
export function eventsPage(frame: Frame, view: EventsView): Content {
  const { language } = frame;
  return {
    status: view.found.kind === 'wrong-filter' ? 400 : 200,
    title: developerWords[language].developers,
    section: 'developers',
    main: html`${developerTabs(frame, 'events')}
      <p class="explain">${eventWords[language].intro}</p>
      ${filterForm(frame, view)} ${listed(language, view)}`,
  };
}

function filterForm(frame: Frame, { filters, found }: EventsView): Html {
  const words = eventWords[frame.language];
  const options = [['', words.any] as const, ...Object.entries(words.families)];
  const error = found.kind === 'wrong-filter' ? words.wrongFilter : undefined;
  const object = {
    name: 'objectId',
    label: words.object,
    value: filters.objectId,
    isOptional: true,
    isBare: true,
    error,
  };
  return html`<form method="get" action="${EVENTS}" class="filters">
    <div class="filter-grid">
      ${choice({ name: 'type', label: words.type, value: filters.type, options })} ${field(frame, object)}
    </div>
    <p class="actions"><button class="button second">${words.filter}</button></p>
  </form>`;
}

function listed(language: Language, { filters, found }: EventsView): Html | null {
  const words = eventWords[language];
  if (found.kind === 'unavailable') return unavailable(language);
  if (found.kind === 'wrong-filter') return null;
  const { rows, nextCursor, isFirstPage } = found;
  const isFiltered = filters.type !== '' || filters.objectId !== '';
  if (rows.length === 0 && isFirstPage) return empty(isFiltered ? words.none : words.empty);
  const hrefWith = (more: Record<string, string>) => {
    const given = Object.entries({ ...filters, ...more }).filter(([, value]) => value !== '');
    return given.length === 0 ? EVENTS : `${EVENTS}?${new URLSearchParams(given).toString()}`;
  };
  return html`${table({
    caption: developerWords[language].events,
    columns: [{ label: words.event, kind: 'main' }, { label: words.when }, { label: words.about }],
    rows: rows.map(({ id, type, createdAt, object }) => [
      html`<a href="${eventHref(id)}">${code(type)}</a>`,
      timeElement(language, createdAt),
      aboutObject(object),
    ]),
  })}
  ${pager(language, {
    next: nextCursor === null ? null : hrefWith({ after: nextCursor }),
    first: isFirstPage ? null : hrefWith({}),
  })}`;
}

const aboutObject = ({ type, id }: EventRow['object']): Html =>
  type === 'payment' ? html`<a href="${paymentHref(id)}">${code(id)}</a>` : code(id);

/** GET /developers/events/{id} */
export function eventPage(frame: Frame, event: OutwardEvent): Content {
  const { language } = frame;
  const words = eventWords[language];
  return {
    status: 200,
    title: event.type,
    section: 'developers',
    trail: { href: EVENTS, label: developerWords[language].events },
    main: html`<div class="stack">
      <div class="panel">
        ${facts([
          [words.event, code(event.id)],
          [words.when, exactTime(language, event.createdAt)],
          [words.about, html`${code(event.object.type)} ${aboutObject(event.object)}`],
        ])}
      </div>
      <div class="panel">
        <h2>${words.data}</h2>
        ${lines(language, JSON.stringify(event, null, 2))}
      </div>
      ${event.object.type === 'payment' && html`<p class="actions">${button(paymentHref(event.object.id), words.payment)}</p>`}
    </div>`,
  };
}

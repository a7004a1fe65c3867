import { uuid } from '@cobro/contracts/ids.ts';
import { eventFamilies, eventPage, eventsPage, type EventsView } from '@cobro/dashboard/developers/events-page.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field } from '../http/visit.ts';
import { idIn, orNotFound, READING } from '../http/reading.ts';

/** GET /developers/events: newest first. */
export async function showEvents(deps: Deps, visit: SignedIn): Promise<Answer> {
  const type = eventFamilies.find((family) => family === visit.query.get('type')) ?? '';
  const typed = field(visit.query, 'objectId');
  const isId = typed === '' || uuid.safeParse(typed).success;
  // A text that is no id is not shown again: it may be a card number.
  const filters = { type, objectId: isId ? typed : '' };
  if (!isId) return draw(deps, visit, { filters, found: { kind: 'wrong-filter' } });
  const after = visit.query.get('after') ?? undefined;
  const query = {
    order: 'newest' as const,
    limit: 50,
    ...(type !== '' && { type: type as never }),
    ...(typed !== '' && { objectId: typed }),
    ...(after !== undefined && { after }),
  };
  const result = await visit.api.call('listEvents', { query }, READING).result();
  if (result.kind !== 'done') return draw(deps, visit, { filters, found: { kind: 'unavailable' } });
  const { data: rows, pagination } = result.value;
  const { nextCursor } = pagination;
  return draw(deps, visit, { filters, found: { kind: 'rows', rows, nextCursor, isFirstPage: after === undefined } });
}

const draw = (deps: Deps, visit: SignedIn, view: EventsView) => show(deps, visit, (frame) => eventsPage(frame, view));

/** GET /developers/events/{id} */
export async function showEvent(deps: Deps, visit: SignedIn): Promise<Answer> {
  const event = await orNotFound(visit.api.call('readEvent', { params: { id: idIn(visit) } }, READING));
  return show(deps, visit, (frame) => eventPage(frame, event));
}

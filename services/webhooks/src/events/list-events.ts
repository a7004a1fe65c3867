import { LATEST } from '@cobro/contracts/event-feed.ts';
import { typesIn } from '@cobro/contracts/outward-events.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listEvents as contract } from '@cobro/contracts/routes/events.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { type EventRow, keptSince, showEvent } from './event.rules.ts';
import {
  type EventFilters,
  findEventsBefore,
  findNextEvents,
  measureNextEvents,
  newestPositionOf,
} from './event.store.ts';

type Input = InputOf<typeof contract>;

interface Page {
  rows: EventRow[];
  hasMore: boolean;
  /** The position up to which the page has looked. */
  end: bigint;
}

/** How many events one page looks at if its filter matches few of them. */
const MOST_LOOKED_AT = 5_000;
const THE_END = 2n ** 62n;

/** GET /event: the events after a cursor. If there is none yet, it waits `waitSeconds` for one. */
export async function listEvents(deps: Deps, { caller, query, onceLeft }: Input): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  if (query.order === 'newest') return newestFirst(deps, organizationId, query);
  // The wait begins before the first look, so that no event is missed in between.
  const waiter = query.waitSeconds === 0 ? undefined : deps.readers.wait(organizationId, query.waitSeconds * 1_000);
  onceLeft(() => waiter?.end());
  try {
    const begin = await beginOf(deps, organizationId, query.after);
    let page = await nextPage(deps, organizationId, begin, query);
    while (page.rows.length === 0 && !page.hasMore) {
      const looked = await waiter?.next();
      if (looked === undefined) break;
      page = await nextPage(deps, organizationId, page.end, query);
      looked();
    }
    const nextCursor = page.end === 0n ? null : String(page.end);
    const pagination = { limit: query.limit, hasMore: page.hasMore, nextCursor };
    return ok({ data: page.rows.map(showEvent), pagination });
  } finally {
    waiter?.end();
  }
}

/** `order=newest`, for people who look at what has just happened. */
async function newestFirst(
  deps: Deps,
  organizationId: string,
  { after, limit, ...query }: Input['query'],
): Promise<AnswerOf<typeof contract>> {
  const from = { organizationId, before: after === undefined ? THE_END : positionOf(after) };
  const found = await deps.reads.inTurn(organizationId, () =>
    findEventsBefore(deps.reads, from, filtersOf(deps, query), limit + 1),
  );
  const rows = found.slice(0, limit);
  const hasMore = found.length > limit;
  const nextCursor = hasMore ? String(rows.at(-1)?.position) : null;
  return ok({ data: rows.map(showEvent), pagination: { limit, hasMore, nextCursor } });
}

const filtersOf = ({ clock }: Deps, { type, objectId }: Pick<Input['query'], 'type' | 'objectId'>): EventFilters => ({
  types: type && typesIn(type),
  objectId,
  since: keptSince(clock.now()),
});

async function beginOf({ reads }: Deps, organizationId: string, cursor: string | undefined): Promise<bigint> {
  if (cursor === undefined) return 0n;
  if (cursor === LATEST) return reads.inTurn(organizationId, () => newestPositionOf(reads, organizationId));
  return positionOf(cursor);
}

function positionOf(cursor: string): bigint {
  if (!/^[1-9]\d{15}$/.test(cursor)) throw new Refusal('INVALID_CURSOR');
  return BigInt(cursor);
}

function nextPage(deps: Deps, organizationId: string, after: bigint, query: Input['query']): Promise<Page> {
  const { type, objectId, limit } = query;
  const filters = filtersOf(deps, query);
  return deps.reads.inTurn(organizationId, () =>
    type === undefined || objectId !== undefined
      ? wholePage(deps, { organizationId, after, upTo: THE_END }, filters, limit)
      : filteredPage(deps, { organizationId, after }, filters, limit),
  );
}

type From = Parameters<typeof findNextEvents>[1];

async function wholePage({ reads }: Deps, from: From, filters: EventFilters, limit: number): Promise<Page> {
  const found = await findNextEvents(reads, from, filters, limit + 1);
  const rows = found.slice(0, limit);
  return { rows, hasMore: found.length > limit, end: rows.at(-1)?.position ?? from.after };
}

/** Looks at a bounded number of events; the next page goes on after them, so that rare types are found in few pages. */
async function filteredPage(
  deps: Deps,
  { organizationId, after }: Omit<From, 'upTo'>,
  filters: EventFilters,
  limit: number,
): Promise<Page> {
  const { last, count } = await measureNextEvents(deps.reads, organizationId, after, MOST_LOOKED_AT);
  if (last === null) return { rows: [], hasMore: false, end: after };
  const page = await wholePage(deps, { organizationId, after, upTo: last }, filters, limit);
  return page.hasMore ? page : { rows: page.rows, hasMore: count === MOST_LOOKED_AT, end: last };
}

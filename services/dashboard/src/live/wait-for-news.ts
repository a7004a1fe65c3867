import { LATEST } from '@cobro/contracts/event-feed.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import type { Answer } from '../http/visit.ts';

/** Shorter than proxies in front of us wait for an answer. */
const WAIT_S = 25;
/** Stands for the cursor of an organization that has no event yet. */
const BEGINNING = 'beginning';
/** The most events that a browser which comes back after a while gets at once. */
const MOST_EVENTS = 100;

/**
 * GET /news: waits for the next events of the organization, and gives only the type and object id of each. Without a cursor it begins with
 * the events from now on.
 */
export async function waitForNews({ draining, newsWaits }: Deps, visit: SignedIn): Promise<Answer> {
  const cursor = visit.query.get('after');
  const html = await newsWaits({
    sessionId: visit.session.id,
    key: `${visit.scope.id} ${cursor}`,
    left: visit.left,
    begin: (everybodyLeft) => newsAfter(cursor, visit, AbortSignal.any([draining, everybodyLeft])),
  });
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
    html,
  };
}

async function newsAfter(cursor: string | null, { api }: SignedIn, signal: AbortSignal): Promise<string> {
  const after = cursor === BEGINNING ? undefined : (cursor ?? LATEST);
  // The first request gets a cursor at once, so that the browser misses no event while it waits.
  const waitSeconds = cursor === null ? 0 : WAIT_S;
  const query = { ...(after !== undefined && { after }), waitSeconds, limit: MOST_EVENTS };
  const waiting = api.call('listEvents', { query }, { attempts: 1, signal }).result();
  const result = await waiting.catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
  // A browser that is still there asks again, at another replica, with its cursor.
  if (result === undefined || result.kind === 'lost') throw new Refusal('SERVICE_UNAVAILABLE');
  if (result.kind === 'refused') throw new Refusal(result.refusal.code);
  const { data, pagination } = result.value;
  const news = data.map(({ type, object }) => ({ type, id: object.id }));
  return JSON.stringify({ news, after: pagination.nextCursor ?? BEGINNING });
}

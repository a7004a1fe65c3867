import { createSemaphore } from '@cobro/async/semaphore.ts';
import { typesIn } from '@cobro/contracts/outward-events.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { replayEvents as contract } from '@cobro/contracts/routes/webhook-endpoints.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { findEndpoint } from '../endpoints/endpoint.store.ts';
import { sendEventsSince } from './delivery.store.ts';

const MOST = 5_000;

/** Replays of the same events wait for each other's rows, each on its own connection. So a merchant's replays run one by one. */
const turns = createSemaphore({
  permits: Infinity,
  perKey: 1,
  patience: {
    withinMs: 1_000,
    refusal: () => new Refusal('SERVICE_UNAVAILABLE', { message: 'A replay of yours is under way; try again.' }),
  },
});

/** POST /webhook-endpoint/{id}/replay: sends the events from `since` on, whether or not they were delivered. */
export async function replayEvents(
  { db, clock, due }: Deps,
  { caller, params, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const endpoint = await findEndpoint(db, organizationId, params.id);
  if (endpoint === undefined) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
  const { since, types = endpoint.types } = readBody();
  const to = { endpointId: endpoint.id, organizationId };
  const events = { since, types: typesIn(types), now: clock.now(), most: MOST };
  const sent = await turns.run(() => sendEventsSince(db, to, events), organizationId);
  // None are sent either to an endpoint that was deleted meanwhile.
  if (sent.length === 0 && (await findEndpoint(db, organizationId, params.id)) === undefined)
    throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
  due.wake();
  const last = sent.reduce((latest, { createdAt }) => Math.max(latest, createdAt.getTime()), 0);
  return ok({ count: sent.length, until: sent.length < MOST ? null : new Date(last + 1).toISOString() });
}

import { createSemaphore, type Semaphore } from '@cobro/async/semaphore.ts';
import type { Session } from '@cobro/postgres/kept-session.ts';
import type { Job } from '@cobro/service-kit/job.ts';
import { startFlow, type WorkResult } from '@cobro/service-kit/flow.ts';
import type { Deps } from '../deps.ts';
import type { EndpointRow } from '../endpoints/endpoint.row.ts';
import { endingLease, leaseEndpoints } from '../endpoints/endpoint.store.ts';
import { sendDue } from './send-due.ts';

/** The most requests under way: in a process, and for one organization in it. */
const REQUESTS = 256;
const REQUESTS_OF_ONE = 16;
/** Endpoints at which this process works at once. Slow ones leave room for others. */
const bounds = { atOnce: 64, slowAtOnce: 192, slowAfterMs: 50 };
const TAKEN_TOGETHER = 16;
/** `soonMs`: a wake ends no pause sooner. `everyMs`: looks for due later tries and for what other replicas left behind. */
const LOOKS = { soonMs: 250, everyMs: 1_000 };
/** An endpoint with much to get makes way for others after this time. */
const TURN_MS = 5_000;

interface Leased {
  endpoint: EndpointRow;
  session: Session<number>;
}

/**
 * Sends due deliveries, as a flow of endpoints, each of them worked on by one process at a time. An endpoint that hangs keeps no other
 * waiting, and no merchant's endpoints take all requests.
 */
export function deliverToEndpoints(deps: Deps): Job {
  const permits = createSemaphore({ permits: REQUESTS, perKey: REQUESTS_OF_ONE });
  return startFlow<Leased>({
    name: 'deliver-to-endpoints',
    everyMs: LOOKS.everyMs,
    woken: { by: deps.due, leastMs: LOOKS.soonMs },
    log: deps.log,
    ...bounds,
    pace: () => ({ inGroup: TAKEN_TOGETHER, perSecond: Number.POSITIVE_INFINITY }),
    take: async (count) => {
      const session = deps.sender.current();
      if (session === undefined) return [];
      const asked = { sender: session.is, held: [...deps.leased.keys()], now: deps.clock.now(), most: count };
      const taken = await leaseEndpoints(deps.db, { ...asked, without: busyOrganizations(deps) });
      for (const { id, organizationId } of taken) deps.leased.set(id, organizationId);
      return taken.map((endpoint) => ({ endpoint, session }));
    },
    work: (leased) => workAt(deps, leased, permits),
  });
}

function busyOrganizations({ leased }: Deps): string[] {
  const counts = Map.groupBy(leased.values(), (organizationId) => organizationId);
  return [...counts].filter(([, { length }]) => length >= REQUESTS_OF_ONE).map(([organizationId]) => organizationId);
}

async function workAt(deps: Deps, { endpoint, session }: Leased, permits: Semaphore): Promise<WorkResult> {
  const until = performance.now() + TURN_MS;
  let current: EndpointRow | 'given up' | undefined = endpoint;
  try {
    while (typeof current === 'object' && performance.now() < until) {
      current = await sendDue(deps, current, { permits, sender: session.is, until: session.ended });
    }
  } finally {
    try {
      if (current !== 'given up') await deps.db.inSharedTransaction(endpoint.id, endingLease(endpoint.id, session.is));
    } finally {
      deps.leased.delete(endpoint.id);
      // More may have become due since the last look, or the endpoint has made way.
      deps.due.wake();
    }
  }
  return 'done';
}

import { type Job, startJob } from '@cobro/service-kit/job.ts';
import type { Deps } from '../deps.ts';
import { chargeTap } from './charge-tap.ts';
import { listDueTaps } from './tap.store.ts';

const EVERY_MS = 1_000;
const AT_ONCE = 20;

/**
 * Charges taps that were left over: their process died, the acquirer could not be reached, or all permits were taken. Each acquirer
 * has its own job, so that a silent one delays only its own; one more ends taps of acquirers that this process lacks.
 */
export function chargeTaps(deps: Deps): Job {
  const { log, journal } = deps;
  const jobs = [...journal.acquirers, undefined].map((acquirer) =>
    startJob({ name: 'charge-taps', everyMs: EVERY_MS, log, run: () => chargeTapsAt(deps, acquirer) }),
  );
  return { stop: async () => void (await Promise.all(jobs.map((job) => job.stop()))) };
}

async function chargeTapsAt(deps: Deps, acquirer: string | undefined): Promise<number> {
  const due = await listDueTaps(deps.db, { acquirer, known: deps.journal.acquirers, limit: AT_ONCE });
  await Promise.all(due.map((tap) => chargeTap(deps, tap)));
  // The rest at the next run: a bank that cannot be reached must not make this spin.
  return 0;
}

import { within } from '@cobro/async/time-limit.ts';
import { gauge } from '@cobro/metrics/instruments.ts';

const ALL = ['database_read_only', 'events_wait', 'bank_away', 'redis_refuses', 'clock_wrong'] as const;

/**
 * What a process that serves cannot do now. `database_read_only`: it reads, and refuses changes.
 * `events_wait`: the database cannot take the events of other services. `bank_away`: the bank refuses connections or answers
 * nobody, so it is only probed. `redis_refuses`: Redis replies but cannot count limits, so this process counts them alone.
 * `clock_wrong`: its clock and the database's differ, so it releases no hold and charges no period.
 */
export type Degradation = (typeof ALL)[number];

/** Lists what this process cannot do now. Throws if it can serve nothing. */
export type Readiness = () => Promise<readonly Degradation[]>;

const RECENT_MS = 1_000;

/** Asks at most once a second, and in between repeats the last answer. */
export function recentReadiness(ready: Readiness): Readiness {
  let askedAt = -Infinity;
  let last: ReturnType<Readiness>;
  return () => {
    const now = performance.now();
    if (now - askedAt < RECENT_MS) return last;
    askedAt = now;
    return (last = ready());
  };
}

// Shorter than a gauge may take, so that the gauge still has values if `ready` hangs.
const READY_WITHIN_MS = 400;

/** Measures each degradation as 0 or 1, whenever metrics are read. */
export function measureDegradation(ready: Readiness): void {
  gauge('cobro.degraded', async () => {
    const now = await within(READY_WITHIN_MS, ready()).catch((): readonly Degradation[] => []);
    return ALL.map((reason) => ({ value: Number(now.includes(reason)), reason }));
  });
}

import { within } from '@cobro/async/time-limit.ts';
import { gauge } from '@cobro/metrics/instruments.ts';

const ALL = ['database_read_only', 'events_wait', 'bank_away', 'redis_refuses', 'clock_wrong'] as const;

/**
 * What a process that serves cannot do now. `database_read_only`: it reads, and refuses what would change something.
 * `events_wait`: the database cannot take the events of other services. `bank_away`: the bank refuses connections or answers
 * nobody, so nothing is asked of it. `redis_refuses`: Redis answers and cannot count limits, so this process keeps them alone.
 * `clock_wrong`: its clock and the database's differ, so it lets no hold go and charges no period.
 */
export type Degradation = (typeof ALL)[number];

/** Says what this process cannot do now. Throws where it can serve nothing. */
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

// Shorter than a gauge may take, because a process that hangs still has to show that it is there.
const READY_WITHIN_MS = 400;

/** Measures each degradation as 0 or 1, whenever metrics are read. */
export function measureDegradation(ready: Readiness): void {
  gauge('cobro.degraded', async () => {
    const now = await within(READY_WITHIN_MS, ready()).catch((): readonly Degradation[] => []);
    return ALL.map((reason) => ({ value: Number(now.includes(reason)), reason }));
  });
}

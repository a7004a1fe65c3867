import { metrics } from '@opentelemetry/api';

const ALL = ['database_read_only', 'events_wait', 'bank_away'] as const;

/**
 * What a process that serves cannot do now. `database_read_only`: it reads, and refuses what would change something.
 * `events_wait`: the database cannot take the events of other services. `bank_away`: the bank refuses connections or answers
 * nobody, so nothing is asked of it.
 */
export type Degradation = (typeof ALL)[number];

/** Says what this process cannot do now. Throws where it can serve nothing. */
export type Readiness = () => Promise<readonly Degradation[]>;

/** Measures each degradation as 0 or 1, whenever metrics are read. */
export function measureDegradation(ready: Readiness): void {
  const gauge = metrics.getMeter('@cobro/service-kit').createObservableGauge('cobro.degraded', {
    description: '1 while the process serves, and cannot do all of its work.',
  });
  gauge.addCallback(async (result) => {
    const now = await ready().catch((): readonly Degradation[] => []);
    for (const reason of ALL) result.observe(Number(now.includes(reason)), { reason });
  });
}

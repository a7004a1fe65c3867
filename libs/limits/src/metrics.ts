import { metrics } from '@opentelemetry/api';

const meter = () => metrics.getMeter('@cobro/limits');

/** Counts what was decided without Redis. */
export function countFallBacks(limit: 'rate' | 'declines'): () => void {
  const counter = meter().createCounter('cobro.limits.fallback_decisions', {
    description: 'Decisions of a limit that one process made alone, because Redis did not answer.',
  });
  return () => counter.add(1, { limit });
}

/** Counts the attempts that were refused, by the limit that was reached. */
export function countRefusedAttempts(): (limit: 'card' | 'link' | 'address') => void {
  const counter = meter().createCounter('cobro.limits.attempts_refused', {
    description: 'Attempts to pay that were refused because of too many declines.',
  });
  return (limit) => counter.add(1, { limit });
}

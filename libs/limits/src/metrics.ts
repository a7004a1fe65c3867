import type { AttributesOf } from '@cobro/metrics/catalogue.ts';
import { counter } from '@cobro/metrics/instruments.ts';

/** Counts decisions made without Redis. */
export function countFallBacks(limit: 'rate' | 'declines'): () => void {
  const count = counter('cobro.limits.fallback_decisions');
  return () => count({ limit });
}

type Refused = AttributesOf<'cobro.limits.attempts_refused'>;

/** Counts the attempts that were refused, by what was attempted and by the limit that was reached. */
export function countRefusedAttempts(at: Refused['at']): (limit: Refused['limit']) => void {
  const count = counter('cobro.limits.attempts_refused');
  return (limit) => count({ at, limit });
}

import { counter } from '@cobro/metrics/instruments.ts';

/** Counts what was decided without Redis. */
export function countFallBacks(limit: 'rate' | 'declines'): () => void {
  const count = counter('cobro.limits.fallback_decisions');
  return () => count({ limit });
}

/** Counts the attempts that were refused, by the limit that was reached. */
export function countRefusedAttempts(): (limit: 'card' | 'link' | 'address') => void {
  const count = counter('cobro.limits.attempts_refused');
  return (limit) => count({ limit });
}

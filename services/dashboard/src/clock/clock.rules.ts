import { dayInMexicoCity, timeOfDay } from '@cobro/domain/mexico-city.ts';
import type { ClockMove } from '@cobro/dashboard/clock/clock-page.ts';

/** The request to the clock's holder; null puts the clock back. */
export function askedOfClock(move: ClockMove, now: Date): { advanceSeconds: number } | { now: string } | null {
  if (move === 'back') return null;
  if (move === 'day') return { advanceSeconds: 86_400 };
  const time = move === '2259' ? { hour: 22, minute: 59 } : { hour: 23, minute: 1 };
  const today = timeOfDay(dayInMexicoCity(now), { days: 0, ...time });
  const next = today > now ? today : timeOfDay(dayInMexicoCity(now), { days: 1, ...time });
  return { now: next.toISOString() };
}

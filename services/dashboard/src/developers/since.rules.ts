import { timeOfDay } from '@cobro/domain/mexico-city.ts';

/** What `datetime-local` sends, read as time in Mexico City; undefined if it is no time. */
export function timeInCity(typed: string): Date | undefined {
  const [, day = '', hour, minute] = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?$/.exec(typed) ?? [];
  if (Number(hour) > 23 || Number(minute) > 59) return undefined;
  try {
    return timeOfDay(day, { days: 0, hour: Number(hour), minute: Number(minute) });
  } catch {
    return undefined;
  }
}

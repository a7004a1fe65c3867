import { DateTime, IANAZone } from 'luxon';

/** The zone of every day, month and cutoff of the business. */
export const mexicoCity = 'America/Mexico_City';

const zone = IANAZone.create(mexicoCity);
const hourMs = 3_600_000;
const rememberedHours = 20_000;
const offsetByHour = new Map<number, number>();

/** Minutes to add to UTC, remembered for each UTC hour, because since 1922 the zone has changed on whole UTC hours only. */
function offsetMinutes(instant: number): number {
  const hour = Math.floor(instant / hourMs);
  const known = offsetByHour.get(hour);
  if (known !== undefined) return known;
  if (offsetByHour.size >= rememberedHours) offsetByHour.clear();
  const offset = zone.offset(instant);
  offsetByHour.set(hour, offset);
  return offset;
}

/** What clocks in Mexico City show at `date` (from 1922 on). The result is a Date whose UTC fields hold the local time. */
export function clockInMexicoCity(date: Date): Date {
  return new Date(date.getTime() + offsetMinutes(date.getTime()) * 60_000);
}

/** The day in Mexico City at `date`, e.g. `2026-11-20`. Throws a RangeError on an invalid Date. */
export function dayInMexicoCity(date: Date): string {
  return clockInMexicoCity(date).toISOString().slice(0, 10);
}

/** The start of a day (`YYYY-MM-DD`) in Mexico City. Throws a RangeError if there is no such day. */
function startOf(day: string): DateTime<true> {
  const start = DateTime.fromISO(day, { zone });
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || !start.isValid) throw new RangeError(`not a day (YYYY-MM-DD): ${day}`);
  return start;
}

/** The first millisecond of a day (`YYYY-MM-DD`) in Mexico City. Throws a RangeError if there is no such day. */
export function dayStart(day: string): Date {
  return startOf(day).toJSDate();
}

/** The last millisecond of a day (`YYYY-MM-DD`) in Mexico City. Throws a RangeError if there is no such day. */
export function dayEnd(day: string): Date {
  return startOf(day).endOf('day').toJSDate();
}

/** The instant at which clocks in Mexico City show a time, `days` after a day (`YYYY-MM-DD`). */
export function timeOfDay(day: string, time: { days: number; hour: number; minute: number }): Date {
  const { days, hour, minute } = time;
  return startOf(day).plus({ days }).set({ hour, minute }).toJSDate();
}

/** Whether the expiry month of a card (month 1 to 12, year in four digits) has passed in Mexico City. */
export function cardExpired(expiry: { month: number; year: number }, now: Date): boolean {
  const today = clockInMexicoCity(now);
  return today.getUTCFullYear() * 12 + today.getUTCMonth() + 1 > expiry.year * 12 + expiry.month;
}

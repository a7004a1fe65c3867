import { clockInMexicoCity, dayInMexicoCity, timeOfDay } from './mexico-city.ts';

// The day of placement is day 1, so the 7th natural day is six days later.
const daysToTheLast = 6;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** When a hold approved at `heldAt` closes: 23:00 America/Mexico_City on the hold's 7th natural day. */
export const holdExpiresAt = onTheLastDay({ hour: 23, minute: 0 });

/** When the issuing bank ends the hold's last day: 23:30 America/Mexico_City on the 7th natural day. */
export const issuerDayCloses = onTheLastDay({ hour: 23, minute: 30 });

/**
 * All holds of a day share one instant, which is remembered because computing it is a large part of the cost of placing a hold.
 */
function onTheLastDay(time: { hour: number; minute: number }): (heldAt: Date) => Date {
  let latest = { day: '', instant: 0 };
  return (heldAt) => {
    const day = dayInMexicoCity(heldAt);
    if (day !== latest.day) latest = { day, instant: timeOfDay(day, { days: daysToTheLast, ...time }).getTime() };
    return new Date(latest.instant);
  };
}

/** True from `expiresAt` on, whatever became of the hold. */
export function holdExpired(expiresAt: Date, now: Date): boolean {
  return now.getTime() >= expiresAt.getTime();
}

/**
 * Natural days on which capture is still possible, today included until its 23:00: 7 to 0.
 * `expiresAt` is what `holdExpiresAt(heldAt)` gave. A clock behind `heldAt` counts as being at `heldAt`.
 */
export function holdDaysRemaining(expiresAt: Date, heldAt: Date, now: Date): number {
  if (holdExpired(expiresAt, now)) return 0;
  const from = now.getTime() < heldAt.getTime() ? heldAt : now;
  const lastDay = Math.floor(clockInMexicoCity(expiresAt).getTime() / dayMs);
  // With an hour added, the date changes exactly when today's 23:00 has passed.
  const firstOpenDay = Math.floor((clockInMexicoCity(from).getTime() + hourMs) / dayMs);
  return lastDay - firstOpenDay + 1;
}

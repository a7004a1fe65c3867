export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** Mexico City has been six hours behind UTC all year since 2022. */
export const BEHIND_UTC = 6 * HOUR;

/** A natural day of Mexico City, counted from 1970. */
export const dayOf = (time: number): number => Math.floor((time - BEHIND_UTC) / DAY);
export const startOf = (day: number): number => day * DAY + BEHIND_UTC;
export const isoDay = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

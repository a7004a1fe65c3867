import { dayEnd, dayStart } from './mexico-city.ts';

/** Both ends are included. */
export interface TimeRange {
  from: Date | undefined;
  to: Date | undefined;
}

/** The range between two `dayOrTime` values. A date means its whole day in Mexico City. */
export function timeRange(query: { createdAtFrom?: string | undefined; createdAtTo?: string | undefined }): TimeRange {
  return { from: earliest(query.createdAtFrom), to: latest(query.createdAtTo) };
}

const isDay = (text: string) => text.length === 'YYYY-MM-DD'.length;

function earliest(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  if (isDay(text)) return dayStart(text);
  // Rows have whole milliseconds, so a time between two milliseconds begins at the later one.
  const pastTheMillisecond = /\.\d{3}\d*[1-9]/.test(text);
  return new Date(new Date(text).getTime() + (pastTheMillisecond ? 1 : 0));
}

function latest(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  return isDay(text) ? dayEnd(text) : new Date(text);
}

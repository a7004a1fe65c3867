import { holdsCardData } from '@cobro/contracts/card-data.ts';
import type { WebhookDelivery } from '@cobro/contracts/webhook-requests.ts';
import type { DeliveryRow } from './delivery.row.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Pauses after the first try, the second, …; every later pause is a day. */
const PAUSES_MS = [
  5_000,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
];
const SPREAD = 0.2;

/**
 * When to try again after this number of tries. `chance`, from 0 to 1, spreads deliveries that failed together. An endpoint may ask for
 * a longer pause, up to a day.
 */
export function nextTry(now: Date, tries: number, chance: number, retryAfter: string | undefined): Date {
  const pause = (PAUSES_MS[tries - 1] ?? DAY_MS) * (1 + SPREAD * (2 * chance - 1));
  const asked = Math.min(DAY_MS, pauseAsked(retryAfter, now));
  return new Date(now.getTime() + Math.max(pause, asked));
}

/** Milliseconds to wait by a Retry-After, in seconds or as a date; 0 if it is neither. */
function pauseAsked(retryAfter: string | undefined, now: Date): number {
  if (retryAfter === undefined) return 0;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;
/** The endpoint answers that it exists no longer. */
export const isGone = (status: number): boolean => status === 410;

/** An answer as it is kept: without control characters, and hidden if it holds card data. */
export function cleaned(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cs}\u{FFFD}]+/gu, ' ').trim();
  return holdsCardData(plain) ? '[hidden]' : plain;
}

export const showDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  eventId: row.eventId,
  type: row.type,
  status: row.status,
  attempts: row.attempts,
  createdAt: row.createdAt.toISOString(),
  lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
  nextAttemptAt: row.status === 'PENDING' ? row.nextAttemptAt.toISOString() : null,
  responseStatus: row.responseStatus,
  responseBody: row.responseBody,
  error: row.error,
});

import { gaugeOf } from '@cobro/metrics/instruments.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import { countLate } from './subscription-news.store.ts';

const LATE_AFTER_MS = 600_000;
const MOST_COUNTED = 10_000;

/** Measures how many subscriptions are overdue to be charged, tried again or ended. */
export const measureSubscriptions = (db: Queries, clock: Clock): (() => void) =>
  gaugeOf('cobro.subscriptions.late', () => countLate(db, clock.now(), LATE_AFTER_MS, MOST_COUNTED));

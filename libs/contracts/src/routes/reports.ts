import { idParams } from '../ids.ts';
import { cursorListOf } from '../paging.ts';
import {
  dayQuery,
  disbursementExplained,
  exportQuery,
  holdBoard,
  holdBoardQuery,
  reportedDays,
  reportedPayment,
  reportQuery,
  takings,
  takingsQuery,
} from '../reports.ts';
import type { RouteContract } from '../route.ts';
import { READ_MS, STREAM_MS } from './time-limits.ts';

const read = {
  method: 'GET',
  who: 'merchant',
  people: 'read',
  service: 'reporting',
  lane: 'read',
  timeLimitMs: READ_MS,
} as const;

export const reportDays = {
  ...read,
  path: '/report/day',
  summary: 'Read what was paid, declined and refunded on each day of Mexico City',
  query: dayQuery,
  answers: { 200: { means: 'The days, the earliest first.', json: reportedDays } },
  refusals: [],
} as const satisfies RouteContract;

export const reportTakings = {
  ...read,
  path: '/report/takings',
  summary: 'Read what was paid and refunded on a day by salesperson, branch and terminal',
  query: takingsQuery,
  answers: { 200: { means: 'The sums, the greatest first.', json: takings } },
  refusals: [],
} as const satisfies RouteContract;

export const reportHolds = {
  ...read,
  path: '/report/hold',
  summary: 'Read the open holds by the day on which they end, those that end next first',
  query: holdBoardQuery,
  answers: { 200: { means: 'The days with their sums, and a page of holds.', json: holdBoard } },
  refusals: [],
} as const satisfies RouteContract;

export const reportPayments = {
  ...read,
  path: '/report/payment',
  summary: 'Walk payments by cursor with more filters, newest first',
  query: reportQuery,
  answers: { 200: { means: 'A page of payments with an outcome.', json: cursorListOf(reportedPayment) } },
  refusals: ['INVALID_CURSOR'],
} as const satisfies RouteContract;

export const exportPayments = {
  ...read,
  path: '/report/payment.csv',
  lane: 'stream',
  timeLimitMs: STREAM_MS,
  summary: 'Export every payment that the filters leave as CSV, newest first',
  query: exportQuery,
  answers: {
    200: {
      means:
        'A line for each payment, as the list walks them: UTF-8 with a byte order mark, and text that a spreadsheet would take for a formula behind an apostrophe. A file that is not whole breaks off.',
      stream: 'text/csv',
    },
  },
  refusals: [],
} as const satisfies RouteContract;

export const explainDisbursement = {
  ...read,
  path: '/report/payment/:id/disbursement',
  summary: 'Read how a payment’s amount becomes what the merchant gets',
  params: idParams('id'),
  answers: { 200: { means: 'The steps, which always meet.', json: disbursementExplained } },
  refusals: ['PAYMENT_NOT_FOUND'],
} as const satisfies RouteContract;

import { createSignals } from '@cobro/async/signals.ts';
import { type Database, openDatabase } from '@cobro/postgres/database.ts';
import { DatabaseUnavailable } from '@cobro/postgres/unavailable.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Deps } from '../deps.ts';
import type { AttemptRow } from './attempt.row.ts';
import { outcomeOfAttempt } from './outcome-of-attempt.ts';

const sent = { intentId: '019f0000-0000-7000-8000-000000000001', attemptId: '019f0000-0000-7000-8000-000000000002' };
const committed: AttemptRow = {
  ...sent,
  terminalId: '019f0000-0000-7000-8000-000000000003',
  requestDigest: Buffer.of(1),
  status: 'REQUESTED',
  paymentId: '019f0000-0000-7000-8000-000000000004',
  operationCode: null,
  declineCode: null,
  lastFourDigits: '4242',
  network: 'VISA',
};

let db: Database;
/** Nothing listens on port 1, so that each read fails as it does while Postgres is away. */
beforeAll(() => {
  db = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', schema: 'intents' });
});
afterAll(() => db.close());

/** Waits with only the needed dependencies. The wait is over at once. */
const asked = (attempt: typeof sent | AttemptRow) =>
  outcomeOfAttempt({ db, outcomes: createSignals<void>() } as Deps, attempt, performance.now());

test('an attempt that is committed is open, not refused, while it cannot be read: its card may be charged', async () => {
  expect(await asked(committed)).toEqual(committed);
});

test('an attempt that nobody knows yet is refused while it cannot be read', async () => {
  await expect(asked(sent)).rejects.toThrow(DatabaseUnavailable);
});

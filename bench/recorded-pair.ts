import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@cobro/postgres/with-client.ts';
import type pg from 'pg';
import type { Stack } from '../dev/stack/stack.ts';
import { type Merchant, paymentRequests } from './payment-requests.ts';
import { LOG_LINE_PREFIX, type LoggedStatement, statementsIn } from './statement-log.ts';

/** Sent between two pairs, so that the log can be cut there. */
const MARK = `select 'between two pairs'`;
const PAIRS = 8;
/** A pair's events are relayed and applied everywhere by then. */
const APPLIED_AFTER_MS = 300;
const SETTINGS_TAKEN_AFTER_MS = 500;

/**
 * The statements of single pairs of authorize and capture, one list a pair, as the stack's Postgres logs them while one merchant sends a
 * pair, waits until its events are applied, and sends the next. `pauseMs` is the pause between the two requests of a pair.
 */
export function recordPairs(stack: Stack, merchant: Merchant, pauseMs?: number): Promise<LoggedStatement[][]> {
  const requests = paymentRequests(stack.baseUrl, 1);
  const log = stack.run.logFile('postgres');
  return withClient({ connectionString: stack.servers.postgres.url }, async (client) => {
    await settle(client, [`set log_statement = 'all'`, `set log_line_prefix = '${LOG_LINE_PREFIX}'`]);
    const from = statSync(log).size;
    for (let pair = 0; pair <= PAIRS; pair++) {
      await client.query(MARK);
      await requests.pairAtOnce(merchant, pauseMs);
      await sleep(APPLIED_AFTER_MS);
    }
    await client.query(MARK);
    await settle(client, ['reset log_statement', 'reset log_line_prefix']);
    await requests.close();
    return cutAtMarks(statementsIn(readFileSync(log).subarray(from).toString('utf8')));
  });
}

async function settle(client: pg.Client, settings: string[]): Promise<void> {
  for (const setting of settings) await client.query(`alter system ${setting}`);
  await client.query('select pg_reload_conf()');
  await sleep(SETTINGS_TAKEN_AFTER_MS);
}

function cutAtMarks(statements: LoggedStatement[]): LoggedStatement[][] {
  const pairs: LoggedStatement[][] = [];
  for (const statement of statements) {
    if (statement.text === MARK) pairs.push([]);
    else pairs.at(-1)?.push(statement);
  }
  // What follows the last mark is no pair.
  return pairs.slice(0, -1);
}

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/;

/**
 * A pair's transactions, and its single statements with an id or about events. Timed work has no ids, except for the sweep's claim, which
 * brings some for what it may find.
 */
export function unitsOf(statements: LoggedStatement[]): LoggedStatement[][] {
  const units: LoggedStatement[][] = [];
  const open = new Map<string, LoggedStatement[]>();
  for (const statement of statements) {
    const { session, text } = statement;
    const transaction = open.get(session);
    if (text === 'begin') {
      const unit = [statement];
      open.set(session, unit);
      units.push(unit);
    } else if (transaction === undefined) units.push([statement]);
    else transaction.push(statement);
    if (text === 'commit') open.delete(session);
  }
  const isOfPair = ({ text, values }: LoggedStatement) =>
    /^\s*delete from outbox\b/.test(text) ||
    (values.some((value) => UUID.test(value ?? '')) && !text.includes('skip locked'));
  return units.filter((unit) => unit.length > 1 || unit.some(isOfPair));
}

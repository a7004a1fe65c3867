import { Refusal } from '@cobro/contracts/refusals.ts';
import { type Database, openDatabase } from '@cobro/postgres/database.ts';
import type { ServiceDefinition } from './definition.ts';
import { createTurns, type InTurn } from './turns.ts';

/**
 * Connections that only lists and other reads use, so that slow ones take no connection from a charge, an event or the relay. A
 * statement on them ends after 2 s.
 */
export interface Reads extends Database {
  /**
   * Runs a list beside at most one more of the same caller, so that one caller's lists never take all of these connections.
   * @throws Refusal SERVICE_UNAVAILABLE if its turn has not come within a second
   */
  inTurn: InTurn;
}

/** The names of a definition's own connections. */
export type OwnConnections<D extends ServiceDefinition> = keyof NonNullable<D['ownConnections']> & string;

const STATEMENT_TIMEOUT_MS = 2_000;
const LISTS_AT_ONCE = 2;
const TURN_WITHIN_MS = 1_000;
/**
 * A list of 500 rows takes several milliseconds of the process itself, in which the process does nothing for others. So a caller whose
 * lists have been waiting for a second gets each turn for a quarter of the time at most.
 */
const REST_AFTER_MS = 1_000;
const REST = 3;
const MOST_REST_MS = 500;

const settings = {
  // A plan is made for the values that are asked for, because a filter may match half of all rows or none of them.
  plan_cache_mode: 'force_custom_plan',
  // Compiling a statement takes longer than any of these statements may run.
  jit: 'off',
  // No statement reads so much that starting workers for it would pay.
  max_parallel_workers_per_gather: '0',
  // Most pages are in memory, so an index is not as dear as the server's own setting says.
  random_page_cost: '1.1',
};

/** Opens the connections that a service names, and adds them to `opened`. */
export const readsOf =
  <D extends ServiceDefinition>(definition: D, url: string, opened: Database[]) =>
  (of: OwnConnections<D>): Reads => {
    const reads = openReads(definition, of, url);
    opened.push(reads);
    return reads;
  };

/** Opens as many of the service's own connections as its definition says. */
export function openReads<D extends ServiceDefinition>(definition: D, of: OwnConnections<D>, url: string): Reads {
  const max = definition.ownConnections?.[of];
  if (max === undefined) throw new Error(`${definition.name} has no connections for ${of}`);
  const db = openDatabase({
    url,
    schema: definition.name,
    applicationName: `${definition.name} ${of}`,
    max,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    settings,
  });
  const inTurn = createTurns({
    perCaller: LISTS_AT_ONCE,
    withinMs: TURN_WITHIN_MS,
    refusal: tooManyLists,
    restMs: (tookMs, waitingForMs) => (waitingForMs < REST_AFTER_MS ? 0 : Math.min(REST * tookMs, MOST_REST_MS)),
  });
  return { ...db, inTurn };
}

const tooManyLists = () =>
  new Refusal('SERVICE_UNAVAILABLE', { message: 'Two of your lists are being read already; try again.' });

import { FIRST_KEY } from '@cobro/events/retelling.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { findMissummed } from '../../services/reporting/src/day-sum.store.ts';
import { findMiscounted } from '../../services/reporting/src/payment-tally.store.ts';
import { type BothRows, differingAmong, differingWithin, lastKeyAfter } from './compare.store.ts';
import { catchUpWithProjection } from './projected-again.ts';
import type { Rebuild } from './rebuild.ts';
import { findBuild, type ProjectedTable, projectedTables } from './schemas.store.ts';

/** A fact in which the serving tables and the new ones differ. */
export interface Difference {
  table: string;
  id: string;
  /** A column; `row` if only one of them has the row. */
  what: string;
  served: unknown;
  anew: unknown;
}

export interface Comparison {
  /** How many rows were compared. */
  compared: number;
  /** The first 1,000. */
  differences: Difference[];
}

const MOST = 1_000;
const AT_ONCE = 5_000;
/** A change under way is in both after some milliseconds, or, behind a long queue, when the queue is done. */
const LOOK_AGAIN_MS = [20, 100, 300, 800, 1_500];

/**
 * Compares every row of the tables that serve with the new one, and the tallies and sums of both with their rows. The projection goes on
 * meanwhile, so rows that differ are looked at again, until they are the same or have had some seconds.
 * @throws OperatorError if there are no complete new tables
 */
export async function compareTables(rebuild: Rebuild): Promise<Comparison> {
  if ((await findBuild(rebuild.serving)) !== 'ready') {
    throw new OperatorError('There are no complete new tables: `reporting build` makes them.');
  }
  let compared = 0;
  const differences: Difference[] = [];
  for (const table of projectedTables) {
    const { rows, suspects } = await suspectsOf(rebuild, table);
    compared += rows;
    const different = await lookAgain(rebuild, table, suspects);
    differences.push(...different.flatMap((both) => differencesOf(table, both)));
  }
  differences.push(...(await miscounted(rebuild)), ...(await missummed(rebuild)));
  return { compared, differences: differences.slice(0, MOST) };
}

/** Ids of rows that differed when they were looked at. Ends early at 1,000, which leaves no doubt. */
async function suspectsOf(rebuild: Rebuild, table: ProjectedTable) {
  const suspects: string[] = [];
  let rows = 0;
  for (let after = FIRST_KEY; suspects.length < MOST;) {
    await catchUpWithProjection(rebuild);
    const { last, rows: found } = await lastKeyAfter(rebuild.serving, table, after, AT_ONCE);
    if (last === undefined) break;
    suspects.push(...(await differingWithin(rebuild.serving, table, after, last)).map(({ id }) => id));
    rows += found;
    after = last;
  }
  return { rows, suspects: suspects.slice(0, MOST) };
}

async function lookAgain(rebuild: Rebuild, table: ProjectedTable, suspects: string[]): Promise<BothRows[]> {
  let different: BothRows[] = [];
  let left = suspects;
  for (const pause of LOOK_AGAIN_MS) {
    if (left.length === 0) return [];
    await sleep(pause);
    await catchUpWithProjection(rebuild);
    different = await differingAmong(rebuild.serving, table, left);
    left = different.map(({ id }) => id);
  }
  return different;
}

/** Operators are not shown customers' names and addresses. */
const HIDDEN = new Set(['billing']);

function differencesOf(table: string, { id, served, anew }: BothRows): Difference[] {
  if (served === null || anew === null) {
    const presence = (row: object | null) => (row === null ? 'missing' : 'there');
    return [{ table, id, what: 'row', served: presence(served), anew: presence(anew) }];
  }
  return Object.keys(served)
    .filter((column) => JSON.stringify(served[column]) !== JSON.stringify(anew[column]))
    .map((what) => {
      const [ours, theirs] = HIDDEN.has(what) ? ['(hidden)', '(hidden)'] : [served[what], anew[what]];
      return { table, id, what, served: ours, anew: theirs };
    });
}

async function miscounted({ serving, next }: Rebuild): Promise<Difference[]> {
  const found = await Promise.all([serving, next].map((db) => findMiscounted(db, MOST)));
  return found.flatMap((cells, at) =>
    cells.map(({ cell, counted, rows }) => {
      const [served, anew] = at === 0 ? [`${counted} of ${rows}`, ''] : ['', `${counted} of ${rows}`];
      return { table: 'payment_tally', id: cell, what: 'payments', served, anew };
    }),
  );
}

async function missummed({ serving, next }: Rebuild): Promise<Difference[]> {
  const found = await Promise.all([serving, next].map((db) => findMissummed(db, MOST)));
  return found.flatMap((cells, at) =>
    cells.map(({ cell, missing }) => {
      const [served, anew] = at === 0 ? [`lacks ${missing}`, ''] : ['', `lacks ${missing}`];
      return { table: 'day_sum', id: cell, what: 'sums', served, anew };
    }),
  );
}

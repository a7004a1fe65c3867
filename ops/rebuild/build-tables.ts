import { newId } from '@cobro/contracts/ids.ts';
import { FIRST_KEY, type Retelling } from '@cobro/events/retelling.ts';
import { schemaOf } from '@cobro/frame/definition.ts';
import { migrate } from '@cobro/postgres/migrate.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { foldOldestChanges } from '../../services/reporting/src/payment-tally.store.ts';
import { reporting } from '../../services/reporting/src/service.ts';
import { catchUpWithProjection, noteUnlisted, project } from './projected-again.ts';
import { patiently, type Rebuild } from './rebuild.ts';
import {
  copyGrants,
  createNotes,
  createSchemas,
  dropIndexes,
  dropLeftOvers,
  isCurrent,
  lockBuild,
  markReady,
  noteWhatIsTouched,
  plain,
  type ProjectedTable,
  projectedTables,
  vacuumNext,
} from './schemas.store.ts';

export interface Built {
  payments: number;
  seconds: number;
}

const FOLDED_AT_ONCE = 5_000;
/** Pages of a thousand payments are a thousand changes each. */
const FOLD_EVERY = 5;
const NOTE_EVERY_MS = 5_000;

/**
 * Makes new tables from what the owners know, `batch` subjects at a time, while the old ones serve. An earlier unfinished build is thrown
 * away first, and this one if it fails. @throws OperatorError if another rebuild has taken its place
 */
export async function buildTables(rebuild: Rebuild, batch: number): Promise<Built> {
  const { serving, owner, note } = rebuild;
  const began = performance.now();
  const build = newId();
  const left = await patiently(serving, dropLeftOvers);
  if (left.length > 0) note(`${left.join(', ')} of an earlier rebuild: thrown away`);
  await serving.inTransaction(async (tx) => createSchemas(tx, owner, build));
  try {
    const payments = await fillTables(rebuild, build, batch);
    return { payments, seconds: Math.round((performance.now() - began) / 100) / 10 };
  } catch (error) {
    // If another rebuild took its place, the failure is only that the tables of this one are gone.
    if (!(await isCurrent(serving, build))) {
      throw new OperatorError('Another rebuild has begun meanwhile, so this one gives up.');
    }
    // Otherwise every change of the serving tables would still be noted, for nobody.
    await patiently(serving, dropLeftOvers).catch(() => note('the notes of changes stay until `reporting drop`'));
    throw error;
  }
}

/** Returns how many payments the owners have. */
async function fillTables(rebuild: Rebuild, build: string, batch: number): Promise<number> {
  const { next, serving, url, owner, note } = rebuild;
  await migrate({ url, schema: { ...schemaOf(reporting), name: 'reporting_next' }, role: owner });
  await copyGrants(serving);
  const indexes = await next.inTransaction(async (tx) => {
    await lockBuild(tx, build);
    createNotes(tx);
    return dropIndexes(tx);
  });
  await patiently(next, async (tx) => {
    await lockBuild(tx, build);
    noteWhatIsTouched(tx);
  });
  note('what the projection changes is noted; the owners begin to retell');
  let payments = 0;
  for (const table of projectedTables) {
    for (const retelling of rebuild.retellings[table]) {
      const subjects = await retellAll(rebuild, build, retelling, { batch, table });
      payments = Math.max(payments, table === 'payment' ? subjects : 0);
    }
  }
  await foldAll(rebuild);
  note('all is retold; indexes and statistics of the new tables are made');
  for (const definition of indexes) {
    await next.inTransaction(async (tx) => {
      await lockBuild(tx, build);
      await tx.run(plain(definition));
    });
  }
  await vacuumNext(next);
  await catchUpWithProjection(rebuild);
  await next.inTransaction(async (tx) => {
    await lockBuild(tx, build);
    markReady(tx);
  });
  note('the new tables are complete');
  return payments;
}

/** Reads the next page while this one is written. */
async function retellAll(
  rebuild: Rebuild,
  build: string,
  owner: Retelling,
  { batch, table }: { batch: number; table: ProjectedTable },
): Promise<number> {
  const { next, note } = rebuild;
  const began = performance.now();
  let [subjects, notedAt] = [0, began];
  let reading = owner.page(FIRST_KEY, batch);
  for (let pages = 1; ; pages++) {
    const page = await reading;
    if (page.last !== undefined) reading = owner.page(page.last, batch);
    // Awaited in the next round; until then a failure must not count as unhandled.
    reading.catch(() => {});
    await next.inTransaction(async (tx) => {
      await lockBuild(tx, build);
      await project(tx, page.events);
      if (table === 'payment') noteUnlisted(tx, [...new Set(page.events.map(({ subject }) => subject))]);
    });
    if (pages % FOLD_EVERY === 0) await foldSome(rebuild);
    subjects += page.subjects;
    const now = performance.now();
    if (page.last !== undefined && now - notedAt < NOTE_EVERY_MS) continue;
    notedAt = now;
    const perSecond = Math.round((subjects * 1_000) / (now - began));
    note(`${table}: ${subjects} retold, ${perSecond} a second${page.last === undefined ? '; that was all' : ''}`);
    if (page.last === undefined) return subjects;
  }
}

/** Folds some changes, so that few wait. */
const foldSome = ({ next }: Rebuild) => next.inTransaction((tx) => foldOldestChanges(tx, FOLDED_AT_ONCE));

async function foldAll(rebuild: Rebuild): Promise<void> {
  while ((await foldSome(rebuild)) > 0);
}

import type { Envelope } from '@cobro/contracts/events.ts';
import { DEFAULT_ACQUIRER } from '@cobro/contracts/acquirer-name.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { type Database, type Sql, sql } from '@cobro/postgres/database.ts';
import { column, tableOf } from '@cobro/postgres/table.ts';
import { claimingLocked, type Operation, type Purpose } from './journal.store.ts';
import type { SettlementOptions } from './settle.ts';
import { subjectOf } from './subject.ts';

/** For tests: a table of nothing but subjects of operations. */
export const testSubject = subjectOf(
  'subject',
  'id',
  tableOf({ id: column<string>(), version: column<number>(), outcome: column<string | null>() }),
);
export type TestSubject = NonNullable<Awaited<ReturnType<typeof testSubject.find>>>;

export const createTestSubjects = (db: Database) =>
  db.run(sql`create table subject (id uuid primary key, version integer not null default 1, outcome text)`);

/** The subject with this id, which is made if there is none. */
export async function givenSubject(db: Database, id: string = newId()): Promise<TestSubject> {
  await db.run(sql`insert into subject (id) values (${id}) on conflict do nothing`);
  return (await testSubject.find(db, id)) as TestSubject;
}

/** An outbox that writes events by this `insert … select`, which is given without its `from`. */
export const outboxOf = (
  insert: (event: Envelope) => Sql,
  committed: (event: Envelope) => void = () => {},
): SettlementOptions['outbox'] => ({
  writing: (event) => ({
    insertFrom: (from) => sql`${insert(event)} ${from} returning 0 as id`,
    committed: () => committed(event),
  }),
});
/** For settlements without events. */
export const noOutbox: SettlementOptions['outbox'] = {
  writing: () => ({ insertFrom: (from) => sql`select 0 as id ${from}`, committed: () => {} }),
};

/** Writes an operation down for a subject that has none open, and calls no bank. */
export async function claimForTest(
  db: Database,
  { purpose, subjectId, acquirer = DEFAULT_ACQUIRER }: { purpose: Purpose; subjectId?: string; acquirer?: string },
  inquireAfterMs: number,
): Promise<Operation> {
  const row = await givenSubject(db, subjectId);
  const asked = { id: newId(), acquirer, purpose, amount: null, note: null };
  await db.one(claimingLocked(testSubject.lockAsRead(row), asked, { withinMs: 60_000, inquireAfterMs }));
  return { ...asked, subjectId: row.id, unansweredAt: null };
}

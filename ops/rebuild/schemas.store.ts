import { type Queries, type Sql, sql, type Tx } from '@cobro/postgres/database.ts';

/** The tables that are made from events. Tallies, sums of days and their changes follow from `payment`. */
export const projectedTables = ['organization', 'terminal', 'branch', 'salesperson', 'payment'] as const;
export type ProjectedTable = (typeof projectedTables)[number];

/** In the order in which a fold locks them. */
const talliedTables = ['payment_change', 'payment_tally', 'day_change', 'day_sum'];

/** A statement with names, which cannot be parameters. None of them comes from outside. */
export const plain = (text: string, values: readonly unknown[] = []): Sql => ({ text, values });

export async function findOwner(queries: Queries): Promise<string> {
  const { owner } = await queries.one<{ owner: string }>(sql`
    select pg_get_userbyid(nspowner) as owner from pg_namespace where nspname = 'reporting'`);
  return owner;
}

/** Whether new tables are there, and whether they are complete. */
export async function findBuild(queries: Queries): Promise<'none' | 'unfinished' | 'ready'> {
  const { there } = await queries.one<{ there: boolean }>(sql`
    select to_regclass('reporting_rebuild.build') is not null and to_regnamespace('reporting_next') is not null as there`);
  if (!there) return 'none';
  const build = await queries.maybe<{ ready: boolean }>(sql`
    select ready_at is not null as ready from reporting_rebuild.build`);
  return build?.ready === true ? 'ready' : 'unfinished';
}

/** Schemas of new tables, of the notes about them, and of tables that were replaced. */
const LEFT_OVERS = ['reporting_next', 'reporting_rebuild', 'reporting_before'];

/**
 * Keeps others from dropping or exchanging schemas until the transaction ends. A drop that waits for a table goes on with the schema that
 * it has found, whatever that is called by then.
 */
export const lockSchemas = (tx: Tx): void =>
  tx.send(sql`select pg_advisory_xact_lock(hashtextextended('rebuild of reporting', 0))`);

/** Drops what an earlier rebuild left. Returns the dropped schemas. */
export async function dropLeftOvers(tx: Tx): Promise<string[]> {
  lockSchemas(tx);
  const found = await tx.many<{ name: string }>(sql`
    select nspname as name from pg_namespace where nspname = any(${LEFT_OVERS}) order by nspname`);
  for (const { name } of found) tx.send(plain(`drop schema ${name} cascade`));
  return found.map(({ name }) => name);
}

/** Makes both schemas, and writes the build's id into the notes. */
export function createSchemas(tx: Tx, owner: string, build: string): void {
  const role = `"${owner.replaceAll('"', '""')}"`;
  tx.send(plain(`create schema reporting_rebuild authorization ${role}`));
  tx.send(plain(`create schema reporting_next authorization ${role}`));
  tx.send(plain(`set local role ${role}`));
  tx.send(sql`create table reporting_rebuild.build (id uuid primary key, ready_at timestamptz)`);
  tx.send(sql`insert into reporting_rebuild.build (id) values (${build})`);
}

const notes = [
  // The rows that the projection has changed in the serving tables since the owners were first read.
  `create table reporting_rebuild.touched (
    id bigint generated always as identity primary key, of_table text not null, key uuid not null
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`,
  // Payments that the serving tables do not list.
  `create table reporting_rebuild.unlisted (payment_id uuid primary key)`,
  // Runs with its owner's rights, because the service's own role has none in this schema.
  `create function reporting_rebuild.note_touched() returns trigger language plpgsql security definer
    set search_path = pg_catalog as $$
  begin
    insert into reporting_rebuild.touched (of_table, key) values (tg_table_name, new.id);
    return null;
  end $$`,
  // A list's walk skips payments listed after it began, so a payment must keep the time at which it was listed.
  `create function reporting_rebuild.list_as_before() returns trigger language plpgsql as $$
  begin
    new.listed_at := coalesce((select listed_at from reporting.payment where id = new.id), 'infinity');
    return new;
  end $$`,
  `create trigger list_as_before before insert on reporting_next.payment for each row when (new.listed_at is not null)
    execute function reporting_rebuild.list_as_before()`,
];

export function createNotes(tx: Tx): void {
  for (const text of notes) tx.send(plain(text));
}

/** Notes from now on what the projection changes. Waits for the transactions that are under way. */
export function noteWhatIsTouched(tx: Tx): void {
  for (const table of projectedTables) {
    tx.send(
      plain(`create trigger note_touched after insert or update on reporting.${table}
        for each row execute function reporting_rebuild.note_touched()`),
    );
  }
}

/** False if another rebuild has taken the place of this one, or has dropped it. */
export async function isCurrent(queries: Queries, build: string): Promise<boolean> {
  if ((await findBuild(queries)) === 'none') return false;
  return (await queries.maybe(sql`select from reporting_rebuild.build where id = ${build}`)) !== undefined;
}

/**
 * Locks the build until the transaction ends, so that no other rebuild drops or takes the schemas. Rejects if they are no longer this
 * one's.
 */
export const lockBuild = async (tx: Tx, build: string): Promise<void> =>
  void (await tx.one(sql`select from reporting_rebuild.build where id = ${build} for share`));

export const markReady = (tx: Tx): void =>
  tx.send(sql`update reporting_rebuild.build set ready_at = clock_timestamp()`);

/** Grants on the new schema and its tables what the serving ones grant. */
export async function copyGrants(queries: Queries): Promise<void> {
  const { statements } = await queries.one<{ statements: string[] }>(sql`
    with schema as (select * from pg_namespace where nspname = 'reporting'), granted (statement) as (
      select format('grant %s on schema reporting_next to %s', privilege_type, grantee_name)
      from schema, aclexplode(nspacl), ${granteeName} where grantee <> nspowner
      union all
      select format('grant %s on %s reporting_next.%I to %s', privilege_type,
        case relkind when 'S' then 'sequence' else 'table' end, relname, grantee_name)
      from schema join pg_class on relnamespace = schema.oid, aclexplode(relacl), ${granteeName}
      where relkind in ('r', 'v', 'S') and grantee <> relowner
        and to_regclass(format('reporting_next.%I', relname)) is not null
      union all
      select format('alter default privileges for role %I in schema reporting_next grant %s on %s to %s',
        pg_get_userbyid(defaclrole), privilege_type, case defaclobjtype when 'S' then 'sequences' else 'tables' end, grantee_name)
      from schema join pg_default_acl on defaclnamespace = schema.oid, aclexplode(defaclacl), ${granteeName}
      where defaclobjtype in ('r', 'S') and grantee <> defaclrole
    )
    select coalesce(array_agg(statement), '{}') as statements from granted`);
  for (const text of statements) await queries.run(plain(text));
}

const granteeName = sql`
  lateral (select case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end as grantee_name) as named`;

/**
 * Drops the new payments' indexes that are not unique and returns their definitions, because an index over all rows is built many times
 * faster.
 */
export async function dropIndexes(tx: Tx): Promise<string[]> {
  const indexes = await tx.many<{ name: string; definition: string }>(sql`
    select relname as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = 'reporting_next.payment'::regclass and not indisunique
    order by relname`);
  for (const { name } of indexes) tx.send(plain(`drop index reporting_next.${name}`));
  return indexes.map(({ definition }) => definition);
}

/** Index-only scans need pages that vacuum has marked, and plans need statistics. */
export async function vacuumNext(queries: Queries): Promise<void> {
  for (const table of [...projectedTables, ...talliedTables]) {
    await queries.run(plain(`vacuum (analyze) reporting_next.${table}`));
  }
}

/** The migrations that only one of the two schemas has. */
export const findOtherMigrations = (queries: Queries): Promise<{ name: string }[]> => {
  const applied = (schema: string) =>
    `select name from ${schema}.pgmigrations union all select name from ${schema}.pgmigrations_events`;
  const [old, next] = [applied('reporting'), applied('reporting_next')];
  return queries.many(plain(`((${old}) except (${next})) union ((${next}) except (${old}))`));
};

/**
 * Stops projecting and folding until the transaction ends: events wait, reads go on. What is under way ends first, so no transaction writes
 * to both schemas.
 */
export const stopProjection = (tx: Tx): Promise<number> =>
  tx.run(plain(`lock table ${[...projectedTables, ...talliedTables].map(serving).join(', ')} in share mode`));

const serving = (table: string) => `reporting.${table}`;

/** Lists the payments that the old tables never listed. Returns their number. */
export async function listUnlisted(tx: Tx): Promise<number> {
  const listed = await tx.run(sql`
    update reporting_next.payment set listed_at = clock_timestamp()
    from reporting_rebuild.unlisted where id = payment_id and listed_at = 'infinity'`);
  tx.send(sql`drop trigger list_as_before on reporting_next.payment`);
  return listed;
}

/** Puts the new schema into the place of the one that serves. A statement under way reads the old tables; the next one the new ones. */
export function exchangeSchemas(tx: Tx): void {
  // Renaming needs the right to make schemas, which the owner of one may lack.
  tx.send(sql`set local role none`);
  tx.send(sql`alter schema reporting rename to reporting_before`);
  tx.send(sql`alter schema reporting_next rename to reporting`);
}

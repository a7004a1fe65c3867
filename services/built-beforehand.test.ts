import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceDefinition, schemaOf } from '@cobro/frame/definition.ts';
import { migrate, type Schema, sessionOf } from '@cobro/postgres/migrate.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import { testDatabase } from '@cobro/testing/test-database.ts';
import { expect, test } from '@jest/globals';
import { definitions } from './definitions.ts';

/** The migrations of release 0.1.0. */
const RELEASED = {
  payments: ['0001_cards-links-payments.sql', '0002_list-tallies.sql'],
  holds: ['0001_holds.sql'],
  intents: ['0001_intents-terminals.sql'],
  reporting: ['0001_payment-and-organization.sql', '0002_tallies.sql'],
};
const RELEASED_OF_LIBS = ['0001_operations-and-resolutions.sql', '0001_outbox-and-inbox.sql'];

/** What docs/growth.md says is run before the upgrade, by the beginning of a file's name. */
const BEFOREHAND: Record<keyof typeof RELEASED, string[]> = {
  payments: ['0003_announced', '0003_acquirer', '0009_payment-links', '0012_subscriptions', '0014_announced'],
  holds: ['0002_announced', '0003_capture-before', '0003_acquirer', '0004_acquirer'],
  intents: ['0002_lists', '0003_ended-by-day'],
  reporting: ['0004_capture-before', '0006_days', '0007_payment-links', '0008_attribution', '0012_subscriptions'],
};
/** Those whose every statement is run beforehand. */
const IN_FULL = ['0010_day-sums', '0011_newest-by-payer'];

const upwards = (dir: string, file: string) =>
  readFileSync(join(dir, file), 'utf8')
    .split('-- Down Migration')[0]
    ?.replaceAll(/^\s*--.*$/gm, '') ?? '';
const withoutLocking = (statement: string) => statement.replace(/^(create(?: unique)? index) /, '$1 concurrently ');

/** The columns and indexes that a file adds to tables that are there. */
function additions({ migrations }: Schema, name: string): string[] {
  const found = migrations.flatMap(({ dir }) =>
    readdirSync(dir)
      .filter((file) => file.startsWith(name))
      .flatMap((file) => upwards(dir, file).split(';')),
  );
  return found.map((one) => one.trim()).filter((one) => /if not exists|^alter table \w+ alter column/.test(one));
}

/** A database with a service's schema as release 0.1.0 has it, until `work` is over. `session` is how a migration connects. */
async function onReleased(
  name: keyof typeof RELEASED,
  work: (schema: Schema, url: string, session: ReturnType<typeof sessionOf>) => Promise<void>,
): Promise<void> {
  const schema = schemaOf(definitions.find((one) => one.name === name) as ServiceDefinition);
  const folder = mkdtempSync(join(tmpdir(), 'cobro-migrations-'));
  const released = [...RELEASED[name], ...RELEASED_OF_LIBS];
  const migrations = schema.migrations.map((source) => {
    const dir = join(folder, source.table);
    cpSync(source.dir, dir, {
      recursive: true,
      filter: (path) => !path.endsWith('.sql') || released.some((one) => path.endsWith(one)),
    });
    return { ...source, dir };
  });
  const database = await testDatabase({ ...schema, migrations });
  try {
    const url = database.adminUrl;
    await work(schema, url, sessionOf({ url, schema }, 0));
  } finally {
    await database.drop();
    rmSync(folder, { recursive: true });
  }
}

/** Tables with a row for each card, payment, hold, tap or call of an acquirer. */
const LARGE =
  'payment|payment_method|one_time_payment|hold|payment_intent|intent_attempt|tap|bank_operation|outbox|inbox';

/** From here on the database notes each index that is built on a large table. */
const noteBuilt = `
  create table built (index text);
  create function note_built() returns event_trigger language plpgsql as $$ begin
    insert into built select objid::regclass::text from pg_event_trigger_ddl_commands() join pg_index on indexrelid = objid
    where indrelid::regclass::text = any(string_to_array('${LARGE}', '|'));
  end $$;
  create event trigger note_built on ddl_command_end when tag in ('CREATE INDEX') execute function note_built()`;

test.each(Object.keys(RELEASED) as (keyof typeof RELEASED)[])(
  '%s: what a large database gets before the upgrade from 0.1.0 leaves no index for the migrations to build',
  (name) =>
    onReleased(name, async (schema, url, session) => {
      const statements = BEFOREHAND[name].flatMap((file) => additions(schema, file));
      expect(statements.length).toBeGreaterThan(BEFOREHAND[name].length - 1);
      const own = schema.migrations.at(-1)?.dir ?? '';
      const inFull =
        name === 'reporting' ? readdirSync(own).filter((file) => IN_FULL.some((one) => file.startsWith(one))) : [];
      await withClient(session, async (client) => {
        for (const statement of statements) await client.query(withoutLocking(statement));
        for (const file of inFull) await client.query(upwards(own, file));
      });
      await withClient(session, (client) => client.query(noteBuilt));
      await migrate({ url, schema });
      const { rows } = await withClient(session, (client) => client.query('select index from built'));
      expect(rows).toEqual([]);
    }),
);

const OF_LARGE_TABLE = new RegExp(`^alter table (${LARGE})\\b`);

test.each(Object.keys(RELEASED) as (keyof typeof RELEASED)[])(
  '%s: no migration since 0.1.0 looks at each row of a large table while nobody may read it',
  (name) => {
    const { migrations } = schemaOf(definitions.find((one) => one.name === name) as ServiceDefinition);
    const statements = migrations.flatMap(({ dir }) =>
      readdirSync(dir)
        .filter((file) => file.endsWith('.sql') && ![...RELEASED[name], ...RELEASED_OF_LIBS].includes(file))
        .flatMap((file) => upwards(dir, file).split(';')),
    );
    const large = statements.map((one) => one.trim()).filter((one) => OF_LARGE_TABLE.test(one));
    expect(large).not.toEqual([]);
    expect(large.filter((one) => / check \(| references |set not null/.test(one) && !/not valid/.test(one))).toEqual(
      [],
    );
  },
);

test('an upgrade finds out which one-time payments are open, so that their ends are announced', () =>
  onReleased('payments', async (schema, url, session) => {
    const insert = `
      insert into one_time_payment (id, organization_id, request_digest, status, description, amount, currency, expires_at,
        allowed_terms, created_at, updated_at)
      select gen_random_uuid(), gen_random_uuid(), '', status, description, 100, 'MXN', now() + lasts, '{1}', now(), now()
      from (values ('PENDING', 'open', interval '1 day'), ('PENDING', 'expired', interval '-1 day'),
        ('CONFIRMED', 'paid', interval '1 day')) as old (status, description, lasts)`;
    await withClient(session, (client) => client.query(insert));
    await migrate({ url, schema });
    const { rows } = await withClient(session, (client) =>
      client.query('select description, announced from one_time_payment order by description'),
    );
    expect(rows).toEqual([
      { description: 'expired', announced: 'BEFORE' },
      { description: 'open', announced: null },
      { description: 'paid', announced: 'BEFORE' },
    ]);
  }));

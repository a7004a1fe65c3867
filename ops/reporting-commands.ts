import { databaseSentence } from '@cobro/postgres/database-sentence.ts';
import { command, commandTable, noOptions, type Note } from '@cobro/service-kit/admin-command.ts';
import { secretUrl } from '@cobro/service-kit/config.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { z } from 'zod';
import { buildTables } from './rebuild/build-tables.ts';
import { compareTables, type Comparison } from './rebuild/compare-tables.ts';
import { openRebuild, type Rebuild, type Retellings } from './rebuild/rebuild.ts';
import { swapTables } from './rebuild/swap-tables.ts';
import { throwAway } from './rebuild/throw-away.ts';
import { type Owners, owners, retellable } from './retellable.ts';
import { type Addresses, closeAll, openSchemas, schemaAddresses } from './schema-addresses.ts';

/** Runs with connections to reporting, as the owner of its schema, and to the services that retell. */
type WithRebuild = <T>(note: Note, use: (rebuild: Rebuild) => Promise<T>) => Promise<T>;

const batch = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, { error: 'must be a number from 1 to 9999' })
  .default('1000')
  .transform(Number);

const AFTERWARDS =
  '`reporting swap` puts the new tables in their place all the same, `reporting drop` throws them away.';

const report = ({ compared, differences }: Comparison) => ({
  text: [
    `${compared} rows are compared; ${differences.length === 0 ? 'all are equal' : 'not equal are:'}`,
    ...differences.map(
      ({ table, id, what, served, anew }) => `${table} ${id}: ${what} ${shown(served)} → ${shown(anew)}`,
    ),
    ...(differences.length === 0 ? [] : [AFTERWARDS]),
    '',
  ].join('\n'),
  isBad: differences.length > 0,
});

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const commands = [
  command({
    words: 'reporting rebuild',
    usage: '[--batch 1000]',
    about:
      'makes the tables of reporting anew from what the other services know, compares them with those that serve, and swaps them if they are equal',
    example: ['--batch', '500'],
    options: z.object({ batch }),
    report,
    run: (withRebuild: WithRebuild, options, note) =>
      withRebuild(note, async (rebuild) => {
        const built = await buildTables(rebuild, options.batch);
        const comparison = await compareTables(rebuild);
        const made = { ...built, ...comparison };
        return comparison.differences.length > 0 ? made : { ...made, ...(await swapTables(rebuild)) };
      }),
  }),
  command({
    words: 'reporting build',
    usage: '[--batch 1000]',
    about: 'makes new tables of reporting as `reporting rebuild` does, and leaves them beside those that serve',
    example: [],
    options: z.object({ batch }),
    run: (withRebuild: WithRebuild, options, note) =>
      withRebuild(note, (rebuild) => buildTables(rebuild, options.batch)),
  }),
  command({
    words: 'reporting check',
    usage: '',
    about: 'compares new tables that were not swapped with those that serve, and shows what differs',
    example: [],
    options: noOptions,
    report,
    run: (withRebuild: WithRebuild, _options, note) => withRebuild(note, compareTables),
  }),
  command({
    words: 'reporting swap',
    usage: '',
    about: 'puts new tables into the place of those that serve, whether or not they are equal',
    example: [],
    options: noOptions,
    run: (withRebuild: WithRebuild, _options, note) => withRebuild(note, swapTables),
  }),
  command({
    words: 'reporting drop',
    usage: '',
    about: 'throws away new tables that were not swapped, and what a rebuild that was killed has left',
    example: [],
    options: noOptions,
    run: (withRebuild: WithRebuild, _options, note) => withRebuild(note, throwAway),
  }),
];

/** Commands on reporting's tables, which are made from what the other services know. */
export const reportingCommands = commandTable({
  name: 'reporting',
  environment: schemaAddresses(owners).safeExtend({
    REPORTING_OWNER_URL: secretUrl.optional(),
  }),
  open:
    ({ REPORTING_OWNER_URL: ownerUrl, ...others }): WithRebuild =>
    async (note, use) => {
      const addresses: Addresses = others;
      const url = ownerUrl ?? addresses['DATABASE_URL'];
      if (url === undefined) throw new OperatorError('REPORTING_OWNER_URL is not set.');
      const schemas = openSchemas(addresses, owners);
      try {
        const rebuild = await openRebuild({ url: url.reveal(), retellings: retellingsOf(schemas), note });
        try {
          return await use(rebuild);
        } finally {
          await rebuild.close();
        }
      } finally {
        await closeAll(schemas);
      }
    },
  explain: databaseSentence,
  commands,
});

const retellingsOf = (schemas: Owners) =>
  Object.fromEntries(
    [...Map.groupBy(retellable, ({ table }) => table)].flatMap(([table, of]) =>
      table === null ? [] : [[table, of.map(({ owner, retell }) => retell(schemas[owner]))]],
    ),
  ) as unknown as Retellings;

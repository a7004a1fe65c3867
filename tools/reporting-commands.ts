import { openDatabase, type Queries } from '@cobro/postgres/database.ts';
import { databaseSentence } from '@cobro/postgres/database-sentence.ts';
import { command, commandTable, noOptions, type Note } from '@cobro/service-kit/admin-command.ts';
import { secretUrl } from '@cobro/service-kit/config.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { z } from 'zod';
import { retellOrganizations } from '../services/gateway/src/retelling.ts';
import { retellHolds } from '../services/holds/src/retelling.ts';
import { retellBranches, retellSalespeople, retellTerminals } from '../services/intents/src/retelling.ts';
import { retellPayments } from '../services/payments/src/retelling.ts';
import { buildTables } from '../services/reporting/src/rebuild/build-tables.ts';
import { compareTables, type Comparison } from '../services/reporting/src/rebuild/compare-tables.ts';
import { openRebuild, type Rebuild } from '../services/reporting/src/rebuild/rebuild.ts';
import { swapTables } from '../services/reporting/src/rebuild/swap-tables.ts';
import { throwAway } from '../services/reporting/src/rebuild/throw-away.ts';

/** Runs with connections to reporting, as the owner of its schema, and to the services that tell again what they know. */
type WithRebuild = <T>(note: Note, use: (rebuild: Rebuild) => Promise<T>) => Promise<T>;

const batch = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, { error: 'must be a number from 1 to 9999' })
  .default('1000')
  .transform(Number);

const AFTERWARDS = '`reporting swap` puts them in their place all the same, `reporting drop` throws them away.';

const commands = [
  command({
    words: 'reporting rebuild',
    usage: '[--batch 1000]',
    about:
      'makes the tables of reporting anew from what the other services know, compares them with those that serve, and swaps them if they are equal',
    example: ['--batch', '500'],
    options: z.object({ batch }),
    run: (withRebuild: WithRebuild, options, note) =>
      withRebuild(note, async (rebuild) => {
        const built = await buildTables(rebuild, options.batch);
        const { rows, differences } = await compareTables(rebuild);
        if (differences.length > 0) throw differ({ rows, differences });
        note(`${rows} rows are equal`);
        return { ...built, compared: rows, ...(await swapTables(rebuild)) };
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
    run: (withRebuild: WithRebuild, _options, note) =>
      withRebuild(note, async (rebuild) => {
        const { rows, differences } = await compareTables(rebuild);
        if (differences.length > 0) throw differ({ rows, differences });
        return { compared: rows, differences: 0 };
      }),
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

const differ = ({ rows, differences }: Comparison) =>
  new OperatorError(`Of ${rows} rows some are not equal. ${AFTERWARDS}`, { output: differences });

const environment = z.object({
  DATABASE_URL: secretUrl,
  REPORTING_OWNER_URL: secretUrl.optional(),
  GATEWAY_DATABASE_URL: secretUrl.optional(),
  PAYMENTS_DATABASE_URL: secretUrl.optional(),
  HOLDS_DATABASE_URL: secretUrl.optional(),
  INTENTS_DATABASE_URL: secretUrl.optional(),
});

/** Commands on reporting's tables, which are made of what four other services know. An address that is not given is DATABASE_URL. */
export const reportingCommands = commandTable({
  name: 'reporting',
  environment,
  open:
    (env): WithRebuild =>
    async (note, use) => {
      const addressOf = (variable: keyof typeof env) => (env[variable] ?? env.DATABASE_URL).reveal();
      const open = (schema: string, variable: keyof typeof env) =>
        openDatabase({
          url: addressOf(variable),
          schema,
          applicationName: 'retelling',
          max: 2,
          statementTimeoutMs: 60_000,
        });
      const owners = {
        gateway: open('gateway', 'GATEWAY_DATABASE_URL'),
        payments: open('payments', 'PAYMENTS_DATABASE_URL'),
        holds: open('holds', 'HOLDS_DATABASE_URL'),
        intents: open('intents', 'INTENTS_DATABASE_URL'),
      };
      try {
        const rebuild = await openRebuild({
          url: addressOf('REPORTING_OWNER_URL'),
          retellings: retellingsOf(owners),
          note,
        });
        return await use(rebuild).finally(rebuild.close);
      } finally {
        await Promise.all(Object.values(owners).map((db) => db.close()));
      }
    },
  explain: databaseSentence,
  commands,
});

const retellingsOf = (
  owners: Record<'gateway' | 'payments' | 'holds' | 'intents', Queries>,
): Rebuild['retellings'] => ({
  organization: [retellOrganizations(owners.gateway)],
  terminal: [retellTerminals(owners.intents)],
  branch: [retellBranches(owners.intents)],
  salesperson: [retellSalespeople(owners.intents)],
  payment: [retellPayments(owners.payments), retellHolds(owners.holds)],
});

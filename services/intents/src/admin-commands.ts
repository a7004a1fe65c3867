import { newId, uuid } from '@cobro/contracts/ids.ts';
import { username } from '@cobro/contracts/salespeople.ts';
import { requiredText } from '@cobro/contracts/text.ts';
import { type Database, openPatiently } from '@cobro/postgres/database.ts';
import { databaseSentence } from '@cobro/postgres/database-sentence.ts';
import { command, commandTable, EXAMPLE_ID, noOptions } from '@cobro/service-kit/admin-command.ts';
import { secretUrl } from '@cobro/service-kit/config.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { z } from 'zod';
import {
  changeBranch,
  changeSalesperson,
  registerBranch,
  registerSalesperson,
  type Written,
} from './registry/register-staff.ts';
import { changeTerminal } from './registry/register-terminal.ts';
import { listAllBranches, listAllSalespeople } from './registry/staff.store.ts';
import { listTerminals } from './registry/terminal.store.ts';
import { intents } from './service.ts';

const name = requiredText(255);
const organization = uuid;
/** An id, or `none` to remove the assignment. */
const idOrNone = z
  .union([z.literal('none'), uuid], { error: 'must be a UUID or none' })
  .optional()
  .transform((given) => (given === 'none' ? null : given));

const made = () => ({ id: newId(), requestDigest: null, createdAt: new Date() });

/** Prints the written record. @throws OperatorError with the sentence `orElse` if nothing was written */
async function written<Row extends { requestDigest: unknown }>(
  result: Promise<Written<Row> | undefined>,
  orElse: string,
): Promise<Omit<Row, 'requestDigest'>> {
  const { row } = (await result) ?? {};
  if (row === undefined) throw new OperatorError(orElse);
  return printed(row);
}

const printed = <Row extends { requestDigest: unknown }>({ requestDigest: _, ...row }: Row) => row;

const branches = [
  command({
    words: 'branches create',
    usage: '--organization ID --name NAME',
    about: 'registers a shop of a merchant, in which terminals stand',
    example: ['--organization', EXAMPLE_ID, '--name', 'Roma Norte'],
    options: z.object({ organization, name }),
    run: (db: Database, given) =>
      written(
        registerBranch(db, { ...made(), organizationId: given.organization, name: given.name, externalId: null }),
        'There is such a branch already.',
      ),
  }),
  command({
    words: 'branches change',
    usage: '--id ID --name NAME',
    about: 'renames a branch; payments made there before keep its old name',
    example: ['--id', EXAMPLE_ID, '--name', 'Roma Sur'],
    options: z.object({ id: uuid, name }),
    run: (db: Database, { id, name: newName }) =>
      written(changeBranch(db, { id, sent: { name: newName }, at: new Date() }), `There is no branch ${id}.`),
  }),
  command({
    words: 'branches list',
    usage: '',
    about: 'shows all branches, oldest first',
    example: [],
    options: noOptions,
    run: async (db: Database) => (await listAllBranches(db)).map(printed),
  }),
];

const salespeople = [
  command({
    words: 'salespeople create',
    usage: '--organization ID --name NAME --username NAME',
    about: 'registers somebody who sells at a merchant’s terminals',
    example: ['--organization', EXAMPLE_ID, '--name', 'Lucía Ramos', '--username', 'lucia'],
    options: z.object({ organization, name, username }),
    run: (db: Database, given) =>
      written(
        registerSalesperson(db, {
          ...made(),
          organizationId: given.organization,
          name: given.name,
          username: given.username,
          branchId: null,
        }),
        `The merchant has a salesperson ${given.username} already.`,
      ),
  }),
  command({
    words: 'salespeople change',
    usage: '--id ID --name NAME',
    about: 'corrects a name; payments made before keep theirs',
    example: ['--id', EXAMPLE_ID, '--name', 'Lucía Ramos Ortiz'],
    options: z.object({ id: uuid, name }),
    run: (db: Database, { id, name: newName }) =>
      written(changeSalesperson(db, { id, sent: { name: newName }, at: new Date() }), `There is no salesperson ${id}.`),
  }),
  command({
    words: 'salespeople list',
    usage: '',
    about: 'shows everybody who sells, the oldest first',
    example: [],
    options: noOptions,
    run: async (db: Database) => (await listAllSalespeople(db)).map(printed),
  }),
];

const terminals = [
  command({
    words: 'terminals change',
    usage: '--id ID [--branch ID|none] [--salesperson ID|none]',
    about: 'moves a terminal to another branch or salesperson; payments made before keep theirs',
    example: ['--id', EXAMPLE_ID, '--branch', EXAMPLE_ID],
    options: z.object({ id: uuid, branch: idOrNone, salesperson: idOrNone }),
    run: (db: Database, { id, branch, salesperson }) =>
      changeTerminal(db, { id, branchId: branch, salespersonId: salesperson }),
  }),
  command({
    words: 'terminals list',
    usage: '',
    about: 'shows all terminals, the oldest first',
    example: [],
    options: noOptions,
    run: (db: Database) => listTerminals(db),
  }),
];

/** Branches, salespeople, terminals. Making a terminal makes its key too: see ops/terminal-commands.ts. */
export const adminCommands = commandTable({
  name: intents.name,
  environment: z.object({ DATABASE_URL: secretUrl }),
  open: ({ DATABASE_URL }) => openPatiently({ url: DATABASE_URL.reveal(), schema: intents.name, max: 1 }),
  close: (db) => db.close(),
  explain: databaseSentence,
  commands: [...branches, ...salespeople, ...terminals],
});

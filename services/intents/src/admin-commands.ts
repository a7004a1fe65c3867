import { uuid } from '@cobro/contracts/ids.ts';
import { requiredText } from '@cobro/contracts/text.ts';
import { type Database, openPatiently } from '@cobro/postgres/database.ts';
import { databaseSentence } from '@cobro/postgres/database-sentence.ts';
import { command, commandTable, EXAMPLE_ID, noOptions } from '@cobro/service-kit/admin-command.ts';
import { secretUrl } from '@cobro/service-kit/config.ts';
import { z } from 'zod';
import { changeBranch, changeSalesperson, registerBranch, registerSalesperson } from './registry/register-staff.ts';
import { changeTerminal } from './registry/register-terminal.ts';
import { listBranches, listSalespeople } from './registry/staff.store.ts';
import { listTerminals } from './registry/terminal.store.ts';
import { intents } from './service.ts';

const name = requiredText(255);
const organization = uuid;
/** An id, or `none` to take away what is there. */
const idOrNone = z
  .union([z.literal('none'), uuid], { error: 'must be a UUID or none' })
  .optional()
  .transform((given) => (given === 'none' ? null : given));

const branches = [
  command({
    words: 'branches create',
    usage: '--organization ID --name NAME',
    about: 'registers a shop of a merchant, in which terminals stand',
    example: ['--organization', EXAMPLE_ID, '--name', 'Roma Norte'],
    options: z.object({ organization, name }),
    run: (db: Database, given) => registerBranch(db, { organizationId: given.organization, name: given.name }),
  }),
  command({
    words: 'branches change',
    usage: '--id ID --name NAME',
    about: 'gives a shop another name, also on payments made there before',
    example: ['--id', EXAMPLE_ID, '--name', 'Roma Sur'],
    options: z.object({ id: uuid, name }),
    run: (db: Database, given) => changeBranch(db, given),
  }),
  command({
    words: 'branches list',
    usage: '',
    about: 'shows all shops, the oldest first',
    example: [],
    options: noOptions,
    run: (db: Database) => listBranches(db),
  }),
];

const salespeople = [
  command({
    words: 'salespeople create',
    usage: '--organization ID --name NAME --username NAME',
    about: 'registers somebody who sells at a merchant’s terminals',
    example: ['--organization', EXAMPLE_ID, '--name', 'Lucía Ramos', '--username', 'lucia'],
    options: z.object({ organization, name, username: requiredText(255) }),
    run: (db: Database, given) => registerSalesperson(db, { ...given, organizationId: given.organization }),
  }),
  command({
    words: 'salespeople change',
    usage: '--id ID --name NAME',
    about: 'corrects a name, also on payments made before',
    example: ['--id', EXAMPLE_ID, '--name', 'Lucía Ramos Ortiz'],
    options: z.object({ id: uuid, name }),
    run: (db: Database, given) => changeSalesperson(db, given),
  }),
  command({
    words: 'salespeople list',
    usage: '',
    about: 'shows everybody who sells, the oldest first',
    example: [],
    options: noOptions,
    run: (db: Database) => listSalespeople(db),
  }),
];

const terminals = [
  command({
    words: 'terminals change',
    usage: '--id ID [--branch ID|none] [--salesperson ID|none]',
    about: 'moves a terminal to another shop or gives it to somebody else; payments made before keep theirs',
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

/** Terminals, shops and those who sell. Making a terminal makes its key too: see ops/terminal-commands.ts. */
export const adminCommands = commandTable({
  name: intents.name,
  environment: z.object({ DATABASE_URL: secretUrl }),
  open: ({ DATABASE_URL }) => openPatiently({ url: DATABASE_URL.reveal(), schema: intents.name, max: 1 }),
  close: (db) => db.close(),
  explain: databaseSentence,
  commands: [...branches, ...salespeople, ...terminals],
});

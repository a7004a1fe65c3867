import type { CommandTable } from '@cobro/service-kit/admin-command.ts';
import { adminCommands as dashboard } from '../services/dashboard/src/admin-commands.ts';
import { adminCommands as gateway } from '../services/gateway/src/admin-commands.ts';
import { adminCommands as intents } from '../services/intents/src/admin-commands.ts';
import { adminCommands as payments } from '../services/payments/src/admin-commands.ts';
import { acquirerCommands } from './acquirer-commands.ts';
import { cardCommands } from './card-commands.ts';
import { eventCommands } from './event-commands.ts';
import { operationCommands } from './operation-commands.ts';
import { parkedCommands } from './parked-commands.ts';
import { reconcileCommands } from './reconcile-command.ts';
import { reportingCommands } from './reporting-commands.ts';
import { terminalCommands } from './terminal-commands.ts';

/** Every table of commands that `npm run admin` knows. */
export const adminTables: CommandTable[] = [
  gateway,
  intents,
  terminalCommands,
  payments,
  cardCommands,
  acquirerCommands,
  operationCommands,
  reconcileCommands,
  reportingCommands,
  eventCommands,
  parkedCommands,
  dashboard,
];

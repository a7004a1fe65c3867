import { uuid } from '@cobro/contracts/ids.ts';
import { requiredText } from '@cobro/contracts/text.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { databaseSentence } from '@cobro/postgres/database-sentence.ts';
import { command, commandTable, EXAMPLE_ID } from '@cobro/service-kit/admin-command.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { z } from 'zod';
import { createKey } from '../services/gateway/src/registry/create-key.ts';
import { organizationExists } from '../services/gateway/src/registry/organization.store.ts';
import { registerTerminal } from '../services/intents/src/registry/register-terminal.ts';
import { findTerminal } from '../services/intents/src/registry/terminal.store.ts';
import { closeAll, openSchemas, schemaAddresses } from './schema-addresses.ts';

/** The record of a terminal belongs to intents, its key to the gateway. */
const registries = ['intents', 'gateway'] as const;
type Registries = Record<(typeof registries)[number], Database>;

const terminals = [
  command({
    words: 'terminals create',
    usage: '--organization ID --serial CODE [--branch ID] [--salesperson ID]',
    about: 'registers a terminal, makes its key and shows it, this once',
    example: ['--organization', EXAMPLE_ID, '--serial', 'SN-0001'],
    options: z.object({
      organization: uuid,
      serial: requiredText(255),
      branch: uuid.optional(),
      salesperson: uuid.optional(),
    }),
    run: async ({ intents, gateway }: Registries, { organization, serial, branch, salesperson }) => {
      if (!(await organizationExists(gateway, organization))) {
        throw new OperatorError(`There is no organization ${organization}.`);
      }
      const assignment = { branchId: branch, salespersonId: salesperson };
      const { id } = await registerTerminal(intents, {
        organizationId: organization,
        serialNumber: serial,
        ...assignment,
      });
      // If this breaks off here, `terminals key` makes the key that is missing.
      const { id: keyId, key } = await createKey(gateway, {
        kind: 'terminal',
        terminalId: id,
        organizationId: organization,
      });
      return { id, serialNumber: serial, keyId, key: key.reveal() };
    },
  }),
  command({
    words: 'terminals key',
    usage: '--id ID',
    about: 'makes another key of a terminal and shows it, this once; the old one works until it is revoked',
    example: ['--id', EXAMPLE_ID],
    options: z.object({ id: uuid }),
    run: async ({ intents, gateway }: Registries, { id }) => {
      const terminal = await findTerminal(intents, id);
      if (terminal === undefined) throw new OperatorError(`There is no terminal ${id}.`);
      const { organizationId, serialNumber } = terminal;
      const { id: keyId, key } = await createKey(gateway, { kind: 'terminal', terminalId: id, organizationId });
      return { id, serialNumber, keyId, key: key.reveal() };
    },
  }),
];

/** Commands on terminals that need the registries of two services. */
export const terminalCommands = commandTable({
  name: 'terminals',
  environment: schemaAddresses(registries),
  open: (addresses): Registries => openSchemas(addresses, registries),
  close: closeAll,
  explain: databaseSentence,
  commands: terminals,
});

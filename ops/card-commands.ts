import type { Database } from '@cobro/postgres/database.ts';
import { databaseSentence } from '@cobro/postgres/database-sentence.ts';
import { command, commandTable, noOptions } from '@cobro/service-kit/admin-command.ts';
import { secretKeys } from '@cobro/service-kit/config.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';
import { resealCards } from '../services/payments/src/cards/reseal-cards.ts';
import { type Addresses, openSchema, schemaAddresses } from './schema-addresses.ts';

interface Needs {
  payments: Database;
  vaultKeys: KeyRing;
}

const reseal = command({
  words: 'cards reseal',
  usage: '',
  about:
    'seals the vault’s token of every saved card with the first key of VAULT_KEY; ends with 1 where no key opens one',
  example: [],
  options: noOptions,
  run: ({ payments, vaultKeys }: Needs) => resealCards(payments, vaultKeys),
  report: ({ cards, resealed, unreadable }) => ({
    text: `${cards} cards, ${resealed} sealed anew, ${unreadable} that no key opens\n`,
    isBad: unreadable > 0,
  }),
});

/** Commands that need the keys of payments. */
export const cardCommands = commandTable({
  name: 'cards',
  environment: schemaAddresses(['payments']).safeExtend({ VAULT_KEY: secretKeys }),
  open: ({ VAULT_KEY, ...addresses }): Needs => ({
    payments: openSchema(addresses as Addresses, 'payments'),
    vaultKeys: VAULT_KEY,
  }),
  close: ({ payments }) => payments.close(),
  explain: databaseSentence,
  commands: [reseal],
});

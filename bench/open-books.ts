import { type Database, openPatiently } from '@cobro/postgres/database.ts';
import type { Stack } from '../dev/stack/stack.ts';

/** All books of a stack, on connections of their own. */
export function booksOf({ databaseUrl, bankUrl, otherBanks }: Pick<Stack, 'databaseUrl' | 'bankUrl' | 'otherBanks'>) {
  const opened: Database[] = [];
  const of = (schema: string) => {
    const database = openPatiently({ url: databaseUrl, schema, max: 2 });
    opened.push(database);
    return database;
  };
  return {
    open: () => ({
      bankUrl,
      others: otherBanks,
      payments: of('payments'),
      holds: of('holds'),
      intents: of('intents'),
      reporting: of('reporting'),
    }),
    close: async () => void (await Promise.all(opened.splice(0).map((database) => database.close()))),
  };
}

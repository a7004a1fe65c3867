/**
 * Operator's commands on organizations, partners and keys: `node services/gateway/src/admin.ts <noun> <verb> [--options]`.
 * Needs DATABASE_URL only; events go to the outbox, from where a running gateway publishes them.
 * Exits with 0; 1 where it cannot be done; 64 for a wrong command line; 78 for an incomplete environment.
 */
import { openDatabase } from '@cobro/postgres/database.ts';
import { DatabaseUnavailable } from '@cobro/postgres/unavailable.ts';
import { loadConfig, secretText } from '@cobro/service-kit/config.ts';
import { z } from 'zod';
import { type CommandLine, readCommandLine, UsageError } from './admin-commands.ts';
import { OperatorError } from './registry/operator-error.ts';
import { gateway } from './service.ts';

async function run(command: CommandLine): Promise<void> {
  const db = openDatabase({
    url: loadConfig(z.object({ DATABASE_URL: secretText })).DATABASE_URL.reveal(),
    schema: gateway.name,
    max: 1,
  });
  try {
    const result = await command.run(db);
    if (command.json) process.stdout.write(`${JSON.stringify(result)}\n`);
    else if (Array.isArray(result)) console.table(result);
    else for (const [name, value] of Object.entries(result)) console.log(`${name}: ${String(value)}`);
  } finally {
    await db.close();
  }
}

/** What went wrong, for an operator; undefined where it is a bug. */
function sentenceOf(error: unknown): string | undefined {
  if (error instanceof UsageError || error instanceof OperatorError) return error.message;
  if (error instanceof DatabaseUnavailable) return `The database is not available: ${String(error.cause)}.`;
  // Postgres gives a code to each of its errors: no such schema, no permission.
  if (error instanceof Error && 'code' in error) return `The database cannot do that: ${error.message}.`;
  return undefined;
}

try {
  await run(readCommandLine(process.argv.slice(2)));
} catch (error) {
  const sentence = sentenceOf(error);
  if (sentence === undefined) throw error;
  process.stderr.write(`${sentence}\n`);
  process.exitCode = error instanceof UsageError ? 64 : 1;
}

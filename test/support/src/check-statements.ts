import { installStatementCheck, MOST_NAMED } from '@cobro/postgres/sql.ts';

export const MARK = 'breaks its contract:';

/** Writes the problem to stderr and returns the error to throw. */
export function reportBroken(who: string, problem: string): Error {
  const line = `${who} ${MARK} ${problem}`;
  process.stderr.write(`${line}\n`);
  return new Error(line);
}

// Installed in every process that uses a test's database.
installStatementCheck((text) => {
  throw reportBroken(text.trim().replaceAll(/\s+/g, ' '), `the process has more than ${MOST_NAMED} statements`);
});

import { installStatementCheck, MOST_NAMED } from '@cobro/postgres/sql.ts';

export const MARK = 'breaks its contract:';

/** Writes to stderr what somebody should not have done; the error is to be thrown. */
export function reportBroken(who: string, problem: string): Error {
  const line = `${who} ${MARK} ${problem}`;
  process.stderr.write(`${line}\n`);
  return new Error(line);
}

// For every process with a database of a test.
installStatementCheck((text) => {
  throw reportBroken(text.trim().replaceAll(/\s+/g, ' '), `the process has more than ${MOST_NAMED} statements`);
});

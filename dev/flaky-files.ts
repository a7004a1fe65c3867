import { stripVTControlCharacters } from 'node:util';

/** A file's part of what `jest --json` writes. */
export interface FileResult {
  /** Path from the root. */
  name: string;
  status: string;
  /** Why the file as a whole failed; otherwise the failures of its tests. */
  message: string;
  assertionResults: { status: string; failureMessages: string[] | null }[];
}

export interface FlakyFile {
  name: string;
  firstFailure: string;
}

/** A failed start, a timeout, or a browser that went away. A failed assertion has none of these words. */
const OF_THE_MACHINE = [
  /did not start:/,
  /not within \d+ ms:/,
  /Exceeded timeout of \d+ ms/,
  /TimeoutError/,
  /(?:page|context|browser) has been closed|Target crashed/,
];

/** In these files every failure counts, because the bugs they look for show seldom. */
const NEVER_AGAIN = /(^|\/)test\/(crash|model)\/|sick|races/;

const MOST_FLAKY = 2;

/**
 * The failed files that may run once more by themselves, because a slow machine alone can have made them fail. None, if one of the
 * failures is of another kind or if more than two files failed.
 */
export function flakyFiles(results: readonly FileResult[]): FlakyFile[] {
  const failed = results
    .filter(({ status }) => status === 'failed')
    .map(({ name, message, assertionResults }) => {
      const failures = assertionResults.flatMap(({ failureMessages }) => failureMessages ?? []);
      return { name, failures: failures.length === 0 ? [message] : failures };
    });
  const areFlaky = failed.every(({ name, failures }) => !NEVER_AGAIN.test(name) && failures.every(isOfTheMachine));
  if (!areFlaky || failed.length > MOST_FLAKY) return [];
  return failed.map(({ name, failures }) => ({ name, firstFailure: firstLine(failures[0] ?? '') }));
}

const isOfTheMachine = (failure: string): boolean => OF_THE_MACHINE.some((pattern) => pattern.test(failure));

const firstLine = (failure: string): string =>
  stripVTControlCharacters(failure)
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim() ?? '';

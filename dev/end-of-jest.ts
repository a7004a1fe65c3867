import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface EndOptions {
  /** The file that jest writes when all tests have run. It must not be there yet. */
  results: string;
  /** How long jest may take to end after it has written the results. */
  patienceMs: number;
  /** How long jest may run at all. */
  longestMs: number;
  say: (line: string) => void;
}

const LOOK_EVERY_MS = 200;

/**
 * Returns jest's exit code. A file whose `beforeAll` failed half way leaves processes and connections open, and jest, if it runs tests in
 * its own process, waits for them forever. It is killed here, and such a run has failed.
 */
export async function endOfJest(jest: ChildProcess, options: EndOptions): Promise<number> {
  const exited = once(jest, 'exit') as Promise<[number | null]>;
  const ended = new AbortController();
  const code = exited.then(([exitCode]) => exitCode ?? 1).finally(() => ended.abort());
  const tooLong = watch(options, ended.signal).then((reason) => {
    if (reason === undefined) return code;
    options.say(reason);
    jest.kill('SIGKILL');
    return exited.then(() => 1);
  });
  return Promise.race([code, tooLong]);
}

/** Why jest has to be killed; undefined if it ended by itself. */
async function watch(options: EndOptions, ended: AbortSignal): Promise<string | undefined> {
  const { results, patienceMs, longestMs } = options;
  const pause = (ms: number) => sleep(ms, undefined, { signal: ended }).catch(() => {});
  for (const end = Date.now() + longestMs; !existsSync(results); await pause(LOOK_EVERY_MS)) {
    if (ended.aborted) return undefined;
    if (Date.now() > end) return `The tests have not ended after ${Math.round(longestMs / 60_000)} minutes.`;
  }
  await pause(patienceMs);
  return ended.aborted ? undefined : 'All tests have run, but a file has left something open: jest was ended.';
}

import { openRun, type Run } from './run.ts';
import { reportFailure } from './servers/server.ts';
import { stopOnSignals } from './stop-on-signals.ts';

/** Writes a line of progress to stderr, because a program's result goes to stdout. */
export const say = (line: string) => void process.stderr.write(`${line}\n`);

/** Does a program's work in a run of its own, and ends the program with the code that the work returns. */
export async function inOwnRun(
  work: (run: Run) => Promise<number>,
  tell: (line: string) => void = say,
): Promise<never> {
  const run = openRun();
  const interrupted = stopOnSignals(run, tell);
  const workAndStop = async () => {
    try {
      return await work(run);
    } finally {
      await run.stop();
    }
  };
  process.exit(await workAndStop().catch((error: unknown) => (interrupted() ? 130 : reportFailure(tell)(error))));
}

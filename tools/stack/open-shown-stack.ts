import { rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { keepDemoFile, removeDemoFile } from './demo-file.ts';
import { openRun } from './run.ts';
import { stackFolder } from './run-record.ts';
import { type Stack, startStack } from './stack.ts';
import { stopOnSignals } from './stop-on-signals.ts';

export interface ShownStackOptions {
  say: (line: string) => void;
  /** The exit code after Ctrl-C or TERM. */
  exitCode: number;
}

/**
 * The stack of `npm start` and `npm run demo`. It uses the usual ports where they are free, writes its record for programs to
 * `.stack/demo.json` and its spans to `.stack/spans.jsonl`, and stops on Ctrl-C and TERM.
 */
export async function openShownStack({ say, exitCode }: ShownStackOptions): Promise<Stack> {
  removeDemoFile();
  const run = openRun();
  const interrupted = stopOnSignals(run, say, exitCode);
  const stack = await startStack({ run, say, preferredPorts: { gateway: 8080, partner: 8081 } }).catch(
    // A failure while we stop is no news, and the program is about to exit.
    (error: unknown) => (interrupted() ? new Promise<never>(() => {}) : Promise.reject(error)),
  );
  linkSpans(stack.spansFile);
  run.onStop(async () => removeDemoFile(stack.clockUrl));
  keepDemoFile(stack);
  return stack;
}

/** Makes a link, because two stacks of one checkout must not write into one file. */
function linkSpans(spansFile: string): void {
  const link = join(stackFolder, 'spans.jsonl');
  rmSync(link, { force: true });
  symlinkSync(relative(stackFolder, spansFile), link);
}

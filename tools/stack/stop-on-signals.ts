import type { Run } from './run.ts';

/** Ends the run and then this process, once, however often Ctrl-C and TERM come. */
export function stopOnSignals(run: Run, say: (line: string) => void, exitCode = 130): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!run.stopping) say('stopping');
      void run.stop().then(
        () => process.exit(exitCode),
        (error: unknown) => {
          say(String(error));
          process.exit(1);
        },
      );
    });
  }
}

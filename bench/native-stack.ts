import { openRun, type Run } from '../dev/stack/run.ts';
import { refuseGivenServers } from '../dev/stack/servers/given-servers.ts';
import { type Stack, startStack } from '../dev/stack/stack.ts';
import { stopOnSignals } from '../dev/stack/stop-on-signals.ts';

/**
 * A durable stack without telemetry on servers of its own that are this machine's processes, so that a bench can have their CPU, logs and
 * other databases.
 */
export function startNativeStack(run: Run, say: (line: string) => void): Promise<Stack> {
  refuseGivenServers('The bench makes databases and reads logs, so it starts its own servers');
  process.env['STACK'] = 'native';
  return startStack({ run, say, telemetry: false });
}

/** A run that ends on signals and, with the program, after these minutes, even if something hangs. */
export function openBoundedRun(minutes: number, say: (line: string) => void): Run {
  const run = openRun();
  stopOnSignals(run, say);
  const end = () => {
    say(`The bench has not ended within ${minutes} minutes: stopping.`);
    void run.stop().finally(() => process.exit(1));
  };
  setTimeout(end, minutes * 60_000).unref();
  return run;
}

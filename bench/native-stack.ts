import { openRun } from '../dev/stack/run.ts';
import { refuseGivenServers } from '../dev/stack/servers/given-servers.ts';
import type { Stack } from '../dev/stack/stack.ts';
import { say, startQuietStack } from './bench-program.ts';

/**
 * A quiet stack on servers of its own that are this machine's processes, so that a bench can have their CPU, logs and other databases. It
 * ends after these minutes, with the program, even if something hangs.
 */
export function startNativeStack(minutes: number): Promise<Stack> {
  refuseGivenServers('The bench makes databases and reads logs, so it starts its own servers');
  process.env['STACK'] = 'native';
  const run = openRun();
  const end = () => {
    say(`The bench has not ended within ${minutes} minutes: stopping.`);
    void run.stop().finally(() => process.exit(1));
  };
  setTimeout(end, minutes * 60_000).unref();
  return startQuietStack(run);
}

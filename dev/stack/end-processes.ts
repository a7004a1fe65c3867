import { isAlive, signalGroup } from './process-identity.ts';
import type { RecordedProcess } from './run-record.ts';
import { waitUntil } from './wait-until.ts';

/** Ends processes whose data nobody needs any more. */
export async function endProcesses(processes: RecordedProcess[]): Promise<void> {
  // Postgres frees its shared memory when QUIT ends it, and would leave the memory behind after KILL.
  for (const process of processes) signalGroup(process, process.name === 'postgres' ? 'SIGQUIT' : 'SIGKILL');
  const gone = () => !processes.some(isAlive);
  if (await waitUntil(gone, 5_000)) return;
  for (const process of processes) signalGroup(process, 'SIGKILL');
  await waitUntil(gone, 5_000);
}

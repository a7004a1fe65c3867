import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../dev/stack/stack.ts';
import { cpuMsEach, cpuSeconds } from './cpu.ts';

/** Milliseconds of CPU a second of all services together; at rest they use less than half of it. */
const QUIET_MS = 100;
const LOOK_EVERY_S = 2;
const LONGEST_MS = 15 * 60_000;

/** Resolves when the services have done their remaining work: events that wait, and what expires after a seed. */
export async function untilQuiet({ processes }: Stack): Promise<void> {
  const began = performance.now();
  for (let used = Infinity; used > QUIET_MS;) {
    if (performance.now() - began > LONGEST_MS) throw new Error('the services are still busy');
    const before = cpuSeconds(processes.pids());
    await sleep(LOOK_EVERY_S * 1_000);
    const each = cpuMsEach(before, cpuSeconds(processes.pids()), LOOK_EVERY_S);
    used = Object.values(each).reduce((sum, ms) => sum + ms, 0);
  }
}

import { readFileSync, writeFileSync } from 'node:fs';

/** Resident memory of one process in MB, as the kernel counts it: now (VmRSS), and its peak (VmHWM), ever or since a reset. */
export interface Memory {
  now: number;
  peak: number;
}

/** By name, summed over its processes; empty on a system without /proc. */
export function memoryOf(pids: Record<string, number[]>): Record<string, Memory> {
  return Object.fromEntries(
    Object.entries(pids).flatMap(([name, all]) => {
      const each = all.flatMap((pid) => read(pid) ?? []);
      const sum = (of: keyof Memory) => each.reduce((total, memory) => total + memory[of], 0);
      return each.length === 0 ? [] : [[name, { now: sum('now'), peak: sum('peak') }]];
    }),
  );
}

/** Makes `peak` the most since now. */
export function resetPeaks(pids: Record<string, number[]>): void {
  for (const pid of Object.values(pids).flat()) {
    try {
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
    } catch {
      // Not Linux, or not our process: the peak is then of the whole life.
    }
  }
}

function read(pid: number): Memory | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024;
    return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
  } catch {
    return undefined;
  }
}

import { processesInProc } from '../dev/stack/proc-stat.ts';

/** CPU seconds of each named process with all its children; empty on a system without /proc; a name without a process has no entry. */
export type CpuSeconds = Record<string, number>;

// Ticks of the kernel's clock, 100 a second on every Linux that Node runs on.
const TICKS_PER_SECOND = 100;

export function cpuSeconds(pids: Record<string, number[]>): CpuSeconds {
  const all = processesInProc();
  if (all.length === 0) return {};
  return Object.fromEntries(
    Object.entries(pids).flatMap(([name, roots]) => {
      const ticks = roots.reduce((sum, root) => sum + ticksBelow(all, root), 0);
      return roots.length === 0 ? [] : [[name, ticks / TICKS_PER_SECOND]];
    }),
  );
}

/** Milliseconds of CPU that each process used between two looks, divided by a number of operations or seconds. */
export const cpuMsEach = (before: CpuSeconds, after: CpuSeconds, count: number): Record<string, number> =>
  Object.fromEntries(
    Object.entries(after).map(([name, used]) => [name, ((used - (before[name] ?? 0)) * 1_000) / count]),
  );

function ticksBelow(all: ReturnType<typeof processesInProc>, root: number): number {
  const stat = all.find(({ pid }) => pid === root)?.stat ?? [];
  // utime, stime, and those of children that have ended.
  const own = [11, 12, 13, 14].reduce((sum, field) => sum + Number(stat[field] ?? 0), 0);
  return all.reduce((sum, { pid, parent }) => (parent === root ? sum + ticksBelow(all, pid) : sum), own);
}

import { readdirSync, readFileSync } from 'node:fs';

/** CPU seconds that each named process has used, with everything below it; empty on a system without /proc; a name without a process has none. */
export type CpuSeconds = Record<string, number>;

// Ticks of the kernel's clock, 100 a second on every Linux that Node runs on.
const TICKS_PER_SECOND = 100;

interface Stat {
  parent: number;
  ticks: number;
}

export function cpuSeconds(pids: Record<string, number[]>): CpuSeconds {
  const all = readAll();
  if (all.size === 0) return {};
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

function ticksBelow(all: Map<number, Stat>, root: number): number {
  let sum = all.get(root)?.ticks ?? 0;
  for (const [pid, { parent }] of all) if (parent === root) sum += ticksBelow(all, pid);
  return sum;
}

function readAll(): Map<number, Stat> {
  const all = new Map<number, Stat>();
  let entries: string[] = [];
  try {
    entries = readdirSync('/proc');
  } catch {
    return all;
  }
  for (const entry of entries) {
    const stat = /^\d+$/.test(entry) ? readStat(entry) : undefined;
    if (stat !== undefined) all.set(Number(entry), stat);
  }
  return all;
}

function readStat(pid: string): Stat | undefined {
  try {
    // The name in brackets may hold anything; the fields after it count from the third, the state.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // utime, stime, and those of children that have ended.
    const ticks = [11, 12, 13, 14].reduce((sum, i) => sum + Number(fields[i]), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}

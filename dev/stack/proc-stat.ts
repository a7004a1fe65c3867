import { readdirSync, readFileSync } from 'node:fs';

/** The fields of Linux's /proc/<pid>/stat from the third on, the state. Undefined if there is no such process. */
export function procStat(pid: number | string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets, which may contain spaces and brackets itself.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Each process of a Linux with its parent; empty elsewhere. */
export function processesInProc(): { pid: number; parent: number; stat: string[] }[] {
  try {
    return readdirSync('/proc').flatMap((entry) => {
      const stat = /^\d+$/.test(entry) ? procStat(entry) : undefined;
      return stat === undefined ? [] : [{ pid: Number(entry), parent: Number(stat[1]), stat }];
    });
  } catch {
    return [];
  }
}

import { execFileSync } from 'node:child_process';
import { platform } from 'node:os';
import { processesInProc } from './proc-stat.ts';

/** Signals a process and all processes below it, including those in a group of their own. Parents come first. */
export function signalTree(root: number, signal: NodeJS.Signals): void {
  process.kill(root, signal);
  const parents = platform() === 'linux' ? processesInProc() : parentsFromPs();
  const tree = [root];
  for (const pid of tree) tree.push(...parents.filter(({ parent }) => parent === pid).map((child) => child.pid));
  for (const pid of tree.slice(1)) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended meanwhile.
    }
  }
}

interface Child {
  pid: number;
  parent: number;
}

function parentsFromPs(): Child[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    return { pid, parent };
  });
}

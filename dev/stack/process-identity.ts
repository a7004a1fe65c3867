import { execFileSync } from 'node:child_process';
import { platform } from 'node:os';
import { procStat } from './proc-stat.ts';

/** The system reuses process ids, but an id together with its start time names one process for ever. */
export interface ProcessIdentity {
  pid: number;
  startTime: string;
}

/** The identity of a living process, or undefined if there is none. A zombie counts as none. */
export function identityOf(pid: number, system = platform()): ProcessIdentity | undefined {
  const startTime = system === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identityOf(identity.pid)?.startTime === identity.startTime;
}

/** Signals the process group of exactly this process. Does nothing if the process has ended meanwhile. */
export function signalGroup(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(-identity.pid, signal);
  } catch {
    signalOne(identity.pid, signal);
  }
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process ended between the look and the signal.
  }
}

function startTimeFromProc(pid: number): string | undefined {
  const stat = procStat(pid);
  return stat === undefined || stat[0] === 'Z' || stat[0] === 'X' ? undefined : stat[19];
}

function startTimeFromPs(pid: number): string | undefined {
  try {
    // BSD's ps takes everything after the first equals sign of an -o for a heading, so each column has an -o of its own.
    const [state = '', ...startTime] = execFileSync('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      // So that ps prints the same text, whatever the user's language and time zone are.
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    })
      .trim()
      .split(/\s+/);
    return state === '' || state.startsWith('Z') ? undefined : startTime.join(' ');
  } catch {
    return undefined;
  }
}

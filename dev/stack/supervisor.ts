import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Run } from './run.ts';
import { lastLines } from './servers/private-server.ts';
import { waitUntil } from './wait-until.ts';

export interface ProcessOptions {
  /** The name in messages and of the log file. */
  name: string;
  /** Base address. The process is ready when its GET /health/ready answers 200. */
  url: string;
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Called when the process has a new pid. */
  onLaunch: () => void;
  /** Called after each start, once the process answers. */
  onReady: () => Promise<void>;
}

export type SupervisedProcess = ReturnType<typeof supervise>;

const READY_TIMEOUT_MS = 300_000;
/** All processes of a stack are polled at once, and each poll takes CPU from those that start. */
const POLL_MS = 100;
const RESTART_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000];

/** A process that is started again, on its own port, whenever it ends unasked. */
export function supervise(run: Run, options: ProcessOptions) {
  let child: ChildProcess | undefined;
  let { args, env } = options;
  let wanted = false;
  let deathsInARow = 0;

  function launch(): ChildProcess {
    const started = run.spawn({ ...options, args, env });
    child = started;
    options.onLaunch();
    started.once('error', () => {});
    started.once('exit', () => void relaunch(started));
    return started;
  }

  async function relaunch(ended: ChildProcess): Promise<void> {
    const delay = RESTART_DELAYS_MS[Math.min(deathsInARow++, RESTART_DELAYS_MS.length - 1)];
    await sleep(delay, undefined, { ref: false });
    if (!wanted || run.stopping || child !== ended) return;
    launch();
    if (!(await waitUntil(answers, READY_TIMEOUT_MS, POLL_MS))) return;
    deathsInARow = 0;
    await options.onReady();
  }

  const answers = async () => isRunning(child) && (await isReady(options.url));
  const failure = (how: string) => new Error(`${options.name} ${how}:\n${lastLines(run.logFile(options.name))}`);

  return {
    name: options.name,
    url: options.url,
    pid: () => (isRunning(child) ? child?.pid : undefined),
    /** Starts the process and waits until it is ready. Rejects with its last log lines if it ends instead. */
    async start(extraEnv?: Record<string, string>, otherArgs?: string[]) {
      env = { ...env, ...extraEnv };
      args = otherArgs ?? args;
      wanted = false;
      const started = launch();
      const inTime = await waitUntil(async () => !isRunning(started) || (await answers()), READY_TIMEOUT_MS, POLL_MS);
      if (!isRunning(started)) throw failure('ended while starting');
      if (!inTime) throw failure('was not ready in time');
      wanted = true;
      deathsInARow = 0;
      await options.onReady();
    },
    /** Ends it as a crash would. It is started again at once. */
    kill: () => end(child, 'SIGKILL'),
    /**
     * Sends TERM, and KILL if the process is still there after `withinMs`. Returns the exit code, null after a KILL. The process
     * stays down until `start`.
     */
    async stop(withinMs: number) {
      wanted = false;
      const stopping = child;
      const late = sleep(withinMs, false, { ref: false });
      const inTime = await Promise.race([end(stopping, 'SIGTERM').then(() => true), late]);
      if (!inTime) await end(stopping, 'SIGKILL');
      return stopping?.exitCode ?? null;
    },
    /** Waits until the process answers, for instance after `kill`. */
    async ready() {
      if (!(await waitUntil(answers, READY_TIMEOUT_MS, POLL_MS))) throw failure('was not ready in time');
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

function isRunning(child: ChildProcess | undefined): boolean {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (child === undefined || !isRunning(child)) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

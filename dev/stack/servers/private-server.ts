import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import type { Run } from '../run.ts';
import { signalTree } from '../process-tree.ts';
import { waitUntil } from '../wait-until.ts';
import { type Server, type ServerName, hostAndPort } from './server.ts';

export interface PrivateServerOptions {
  name: ServerName;
  url: string;
  /** Where the server's programs are, for the message. */
  programs: string;
  spawn: () => ChildProcess;
  isReady: () => Promise<boolean>;
  /** The signal for a crash: KILL, unless KILL would leave something behind in the system. */
  crashSignal: 'SIGKILL' | 'SIGQUIT';
}

const START_TIMEOUT_MS = 300_000;

/** A server that we start and end ourselves. Its data goes with the run, so a crash is the end that it gets. */
export async function startPrivateServer(run: Run, options: PrivateServerOptions): Promise<Server> {
  let child: ChildProcess | undefined;
  const signal = async (name: 'SIGSTOP' | 'SIGCONT') => {
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) signalTree(child.pid, name);
  };
  const server: Server = {
    name: options.name,
    owner: 'this-run',
    url: options.url,
    about: `${options.name}: our own server at ${hostAndPort(options.url)}, run by ${options.programs}`,
    async kill() {
      const running = child;
      if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
      const exited = once(running, 'exit');
      running.kill(options.crashSignal);
      // A paused server would not notice the signal.
      await server.resume();
      await exited;
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async start() {
      const started = options.spawn();
      child = started;
      const spawnError = once(started, 'error').then(([error]) => error as Error);
      const ended = () => started.exitCode !== null || started.signalCode !== null || started.pid === undefined;
      const inTime = await waitUntil(async () => ended() || (await options.isReady()), START_TIMEOUT_MS);
      if (inTime && !ended()) return;
      const reason = started.pid === undefined ? (await spawnError).message : lastLines(run.logFile(options.name));
      throw new Error(`${options.name} did not start:\n${reason}`);
    },
  };
  run.onStop(() => server.kill());
  await server.start();
  return server;
}

export function lastLines(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
  } catch {
    return '(no log)';
  }
}

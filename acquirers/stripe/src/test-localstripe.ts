import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@cobro/testing/free-port.ts';

const CACHE = join(homedir(), '.cache', 'cobro-stripe');
const LOCALSTRIPE = '1.15.10';
const STRIPE_MOCK = 'v0.203.0';

const runs = (command: string, args: string[], env: Record<string, string> = {}) =>
  spawnSync(command, args, { env: { ...process.env, ...env }, stdio: 'ignore', timeout: 180_000 }).status === 0;

/** A Python that has localstripe, in a virtual environment of the tests' own; undefined where it cannot be had. */
export function findLocalstripe(): string | undefined {
  const folder = join(CACHE, `localstripe-${LOCALSTRIPE}`);
  const python = join(folder, 'bin', 'python');
  const isThere = () => existsSync(python) && runs(python, ['-c', 'import localstripe']);
  if (isThere()) return python;
  if (!runs('python3', ['-m', 'venv', folder])) return undefined;
  runs(python, ['-m', 'pip', 'install', '--quiet', '--retries', '1', '--timeout', '15', `localstripe==${LOCALSTRIPE}`]);
  return isThere() ? python : undefined;
}

/** The program stripe-mock, installed by Go; undefined where it cannot be had. */
export function findStripeMock(): string | undefined {
  const folder = join(CACHE, `stripe-mock-${STRIPE_MOCK}`);
  const program = join(folder, 'stripe-mock');
  if (existsSync(program)) return program;
  runs('go', ['install', `github.com/stripe/stripe-mock@${STRIPE_MOCK}`], { GOBIN: folder });
  return existsSync(program) ? program : undefined;
}

export interface Started {
  url: string;
  kill(): Promise<void>;
}

/** Starts a program that listens on this port, and waits until it answers HTTP. */
export async function startListening(
  command: string,
  args: (port: number) => string[],
  options: { port?: number; env?: Record<string, string>; ready?: string } = {},
): Promise<Started> {
  const port = options.port ?? (await freePort());
  const child = spawn(command, args(port), { env: { ...process.env, ...options.env }, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if ((await fetch(url + (options.ready ?? '/')).catch(() => undefined)) !== undefined) break;
    if (child.exitCode !== null) throw new Error(`${command} did not start`);
    await sleep(50);
  }
  return { url, kill: () => killed(child) };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

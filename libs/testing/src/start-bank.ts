import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** The bank simulator as a process of its own, on a ledger of its own. */
export interface RunningBank {
  url: string;
  /** As a crash; `start` brings it up again on the same port and ledger. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and removes its ledger. */
  close(): Promise<void>;
}

const main = resolve(import.meta.dirname, '../../../simulators/bank/src/main.ts');
// It must not outlive its test, also where that is killed: its input ends when its parent does.
const endWithParent = "data:text/javascript,process.stdin.resume().on('end',()=>process.exit())";

/** `env` is added to the bank's environment, for instance CLOCK_URL. */
export async function startBank(env: Record<string, string> = {}): Promise<RunningBank> {
  const folder = mkdtempSync(join(tmpdir(), 'cobro-bank-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const kill = async () => {
    const running = child;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  };
  const start = async () => {
    const started = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--import', endWithParent, main],
      {
        env: {
          HOST: '127.0.0.1',
          PORT: String(port),
          LEDGER_PATH: join(folder, 'ledger.sqlite'),
          DRAIN_DELAY_MS: '0',
          ...env,
        },
        stdio: ['pipe', 'ignore', 'pipe'],
      },
    );
    child = started;
    await untilReady(started, url);
  };
  await start();
  return {
    url,
    kill,
    start,
    close: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) break;
    const ready = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (ready?.ok) return;
    await sleep(50);
  }
  child.kill('SIGKILL');
  throw new Error(`the bank did not start: ${complaint}`);
}

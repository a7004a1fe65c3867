import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of the repository that serves HTTP, under the test that started it. */
export interface TestProcess {
  /** After `kill`, once more with the same environment; resolves when it is ready. */
  start(): Promise<void>;
  /** As a crash. */
  kill(): Promise<void>;
  /** Asks it to end, as a supervisor does; its exit code. */
  terminate(): Promise<number | null>;
  /** What it has written to stdout and stderr so far. */
  output(): string;
}

const repository = resolve(import.meta.dirname, '../../..');
// A service starts a third sooner from what an earlier start compiled.
const compiled = resolve(repository, '.stack/compiled');
// It must not outlive its test, also where that is killed: its input ends when its parent does.
const endWithParent = "data:text/javascript,process.stdin.resume().on('end',()=>process.exit())";

/** @param main path of the file to run, from the root of the repository; what `preload` names is imported before it */
export function testProcess(options: {
  main: string;
  preload?: readonly string[];
  env: Record<string, string>;
  url: string;
}): TestProcess {
  const { main, preload = [], env, url } = options;
  const imports = [endWithParent, ...preload];
  let child: ChildProcess | undefined;
  let output = '';
  const end = async (signal: NodeJS.Signals) => {
    const running = child;
    if (running === undefined) return null;
    if (running.exitCode !== null || running.signalCode !== null) return running.exitCode;
    const exited = once(running, 'exit') as Promise<[number | null]>;
    running.kill(signal);
    return (await exited)[0];
  };
  return {
    start: async () => {
      const started = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', ...imports.flatMap((module) => ['--import', module]), main],
        { cwd: repository, env: { NODE_COMPILE_CACHE: compiled, ...env }, stdio: ['pipe', 'pipe', 'pipe'] },
      );
      child = started;
      const keep = (chunk: Buffer) => (output += chunk.toString());
      for (const stream of [started.stdout, started.stderr]) stream.on('data', keep);
      if (await isReady(started, url)) return;
      started.kill('SIGKILL');
      throw new Error(`${main} did not start: ${output}`);
    },
    kill: async () => void (await end('SIGKILL')),
    terminate: () => end('SIGTERM'),
    output: () => output,
  };
}

async function isReady(child: ChildProcess, url: string): Promise<boolean> {
  for (let tries = 0; tries < 3_000; tries++) {
    if (child.exitCode !== null) return false;
    const ready = await fetch(`${url}/health/ready`).catch(() => undefined);
    await ready?.arrayBuffer();
    if (ready?.ok) return true;
    await sleep(50);
  }
  return false;
}

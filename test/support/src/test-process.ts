import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NODE_ARGUMENTS, NODE_ENVIRONMENT } from '@cobro/service-kit/node-arguments.ts';
import { testEnvironment } from './test-environment.ts';

export type TestProcess = ReturnType<typeof testProcess>;

/** Where `npm test` has packed the program or what is preloaded. @param source the file, from the root of the repository */
export const packedFile = (source: string): string => join(testEnvironment().packed, source.replace(/\.ts$/, '.js'));

const repository = resolve(import.meta.dirname, '../../..');
// `npm test` has the programs compiled there first.
const compiled = process.env['NODE_COMPILE_CACHE'];
// The process must not outlive its test, even a test that is killed. So it ends when its input ends, as happens when its parent
// ends.
const endWithParent = "data:text/javascript,process.stdin.resume().on('end',()=>process.exit())";

/**
 * A process of this repository that serves HTTP. It lives no longer than the test that started it.
 * @param main the program: its source, from the root of the repository, or a file of an image. The modules in `preload` are imported
 * before it; by default telemetry.
 */
export function testProcess(options: {
  main: string;
  preload?: readonly string[];
  env: Record<string, string>;
  url: string;
}) {
  const { main, preload = [packedFile('libs/service-kit/src/telemetry.ts')], env, url } = options;
  const program = main.endsWith('.ts') ? packedFile(main) : main;
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
    /**
     * Starts it, also again after `kill`, with the same environment or with these variables changed (undefined: left out). Resolves when
     * it is ready.
     */
    start: async (changed: Record<string, string | undefined> = {}) => {
      const started = spawn(
        process.execPath,
        [...NODE_ARGUMENTS, ...imports.flatMap((module) => ['--import', module]), program],
        {
          cwd: repository,
          env: { ...NODE_ENVIRONMENT, NODE_COMPILE_CACHE: compiled, ...env, ...changed },
          stdio: ['pipe', 'pipe', 'pipe'],
        },
      );
      child = started;
      const keep = (chunk: Buffer) => (output += chunk.toString());
      for (const stream of [started.stdout, started.stderr]) stream.on('data', keep);
      const before = output.length;
      if (await isReady(started, url, () => output.includes('"listening"', before))) return;
      started.kill('SIGKILL');
      throw new Error(`${main} did not start: ${output}`);
    },
    /** Ends it like a crash. */
    kill: async () => void (await end('SIGKILL')),
    /** Asks it to end, as a supervisor does. Returns its exit code. */
    terminate: () => end('SIGTERM'),
    /** Stops it in the middle of what it does, and `resume` lets it go on. */
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    hasEnded: () => child === undefined || child.exitCode !== null || child.signalCode !== null,
    /** What it has written to stdout and stderr so far. */
    output: () => output,
  };
}

/** Unanswered requests take CPU from processes that start. So a process is asked once a second until it logs that it listens. */
async function isReady(child: ChildProcess, url: string, listens: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 3_000; tries++, await sleep(50)) {
    if (child.exitCode !== null) return false;
    if (!listens() && tries % 20 !== 19) continue;
    const ready = await fetch(`${url}/health/ready`).catch(() => undefined);
    await ready?.arrayBuffer();
    if (ready?.ok) return true;
  }
  return false;
}

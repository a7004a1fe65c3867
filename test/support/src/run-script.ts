import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

export interface RunningScript {
  child: ChildProcess;
  output: { stdout: string; stderr: string };
  /** The exit code once the process has ended; null if a signal ended it. */
  ended: Promise<number | null>;
}

const repository = resolve(import.meta.dirname, '../../..');

/**
 * Runs the text of a module as a process of its own, for tests of what ends or owns a process. The process ends when its input
 * ends.
 */
export function runScript(script: string, env: Record<string, string> = {}): RunningScript {
  const endWithParent = "process.stdin.resume().on('end', () => process.exit()).unref();";
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', `${endWithParent}${script}`],
    {
      cwd: repository,
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  return { child, output, ended: once(child, 'close').then(([code]) => code as number | null) };
}

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inOwnRun, say } from '../dev/stack/in-own-run.ts';
import { openRun } from '../dev/stack/run.ts';
import { reportFailure } from '../dev/stack/servers/server.ts';
import { type Stack, type StackOptions, startStack } from '../dev/stack/stack.ts';
import { stopOnSignals } from '../dev/stack/stop-on-signals.ts';

export { say };
export const print = (line: string) => void process.stdout.write(`${line}\n`);

type Options = Record<string, string | number | boolean>;
type Given<O extends Options> = {
  [N in keyof O]: O[N] extends number ? number : O[N] extends boolean ? boolean : string;
};

/** The program's options by these names, with the types of their defaults. */
export function optionsOf<const O extends Options>(defaults: O): Given<O> {
  const all = Object.entries(defaults);
  const { values } = parseArgs({
    options: Object.fromEntries(
      all.map(([name, by]) => [
        name,
        typeof by === 'boolean' ? { type: 'boolean', default: by } : { type: 'string', default: String(by) },
      ]),
    ),
  });
  const given = all.map(([name, by]) => [name, typeof by === 'number' ? numberOf(name, values[name]) : values[name]]);
  return Object.fromEntries(given) as Given<O>;
}

function numberOf(name: string, text: unknown): number {
  const number = Number(text);
  if (Number.isFinite(number) && number >= 0) return number;
  say(`--${name} is a number and not ${String(text)}.`);
  process.exit(64);
}

/** The process that makes the load. End it by `disconnect()`. @param file in this folder */
export const forkDriver = (file = 'driver.ts'): ChildProcess => fork(join(import.meta.dirname, file), { execArgv: [] });

/** A durable stack without telemetry. Signals stop it. */
export function startQuietStack(run = openRun(), more: StackOptions = {}): Promise<Stack> {
  stopOnSignals(run, say);
  return startStack({ run, say, telemetry: false, ...more });
}

/** Runs the bench on such a stack, and then ends the program. */
export const runOnQuietStack = (bench: (stack: Stack) => Promise<void>): Promise<never> =>
  inOwnRun(async (run) => {
    await bench(await startStack({ run, say, telemetry: false }));
    return 0;
  });

/** Runs the bench, and then ends the program, whatever still holds it open. */
export async function runBench(bench: () => Promise<void>): Promise<never> {
  await bench().catch((error: unknown) => process.exit(reportFailure(say)(error)));
  process.exit();
}

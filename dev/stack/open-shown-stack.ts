import { rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { makeDemoPeople } from '../../ops/demo-people.ts';
import { createTerminal, type StackTerminal } from './create-terminal.ts';
import { keepDemoFile, removeDemoFile, type Shown, type ShownDashboard } from './demo-file.ts';
import { openRun, type Run } from './run.ts';
import { stackFolder } from './run-record.ts';
import { type Stack, startStack } from './stack.ts';
import { stopOnSignals } from './stop-on-signals.ts';
import { openWebhookReceiver } from './webhook-receiver.ts';

const TERMINAL_CODE = 'CAJA-1';

export interface ShownStackOptions {
  say: (line: string) => void;
  /** The exit code after Ctrl-C or TERM. */
  exitCode: number;
  acquirer?: 'stripe' | undefined;
}

/** A stack with a terminal of the first merchant, and a receiver of its events. */
export interface ShownStack extends Stack {
  terminal: StackTerminal;
  receiverUrl: string;
  dashboard: ShownDashboard;
}

/**
 * The stack of `npm start` and `npm run demo`. It uses the usual ports if they are free, writes its record for programs to
 * `.stack/demo.json` and its spans to `.stack/spans.jsonl`, and stops on Ctrl-C and TERM.
 */
export async function openShownStack({ say, exitCode, acquirer }: ShownStackOptions): Promise<ShownStack> {
  removeDemoFile();
  const run = openRun();
  const interrupted = stopOnSignals(run, say, exitCode);
  const stack = await openStackWithTerminal(run, say, acquirer).catch(
    // A failure while we stop is expected, and the program is about to exit.
    (error: unknown) => (interrupted() ? new Promise<never>(() => {}) : Promise.reject(error)),
  );
  showStack(stack, stack.terminal, stack);
  return stack;
}

/** Lets operator's commands and people find the stack: its record in `.stack/demo.json`, its spans and its logs. */
export function showStack(stack: Stack, terminal: StackTerminal, shown: Shown = {}): void {
  link('spans.jsonl', stack.spansFile);
  link('logs', stack.logFolder);
  stack.run.onStop(async () => removeDemoFile(stack.clockUrl));
  keepDemoFile(stack, terminal, shown);
}

async function openStackWithTerminal(
  run: Run,
  say: (line: string) => void,
  acquirer: ShownStackOptions['acquirer'],
): Promise<ShownStack> {
  const stack = await startStack({
    run,
    say,
    acquirer,
    preferredPorts: { gateway: 8080, partner: 8081, people: 8082, dashboard: 8083 },
  });
  const { organizationId } = stack.merchants;
  const terminal = await createTerminal(stack.databaseUrl, { organizationId, code: TERMINAL_CODE });
  const { receiverUrl, close } = await openWebhookReceiver(stack);
  run.onStop(close);
  const { dashboardUrl: url, databaseUrl, keys } = stack;
  const { people, signInPath } = await makeDemoPeople(databaseUrl, keys.shared['DASHBOARD_KEY'] ?? '', organizationId);
  return { ...stack, terminal, receiverUrl, dashboard: { url, signInUrl: `${url}${signInPath}`, people } };
}

/** Makes a link in `.stack`, because two stacks of one checkout must not write into one file. */
function link(name: string, target: string): void {
  const path = join(stackFolder, name);
  rmSync(path, { force: true });
  symlinkSync(relative(stackFolder, target), path);
}

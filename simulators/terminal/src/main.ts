/**
 * `npm run terminal [-- CODE]`: a terminal of the stack that runs from this checkout, operated by single keys. STACK_FILE names the
 * record of another stack, and TERMINAL_KEY is the key of another terminal than the stack's own.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secret } from '@cobro/contracts/secret.ts';
import { whichTerminal } from './which-terminal.ts';
import { runScreen } from './terminal-screen.ts';

const demoFile = join(import.meta.dirname, '../../../.stack/demo.json');

function readRecord(): string | undefined {
  try {
    return readFileSync(process.env['STACK_FILE'] ?? demoFile, 'utf8');
  } catch {
    return undefined;
  }
}

const which = whichTerminal(process.argv.slice(2), readRecord(), process.env['TERMINAL_KEY']);
if (which.kind === 'sentence') {
  process.stderr.write(`${which.sentence}\n`);
  process.exit(which.exitCode);
}
const off = new AbortController();
// Under npm a Ctrl-C arrives twice.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => off.abort());
const { code, baseUrl, key } = which;
const wasRight = await runScreen({
  code,
  baseUrl,
  key: new Secret(key),
  input: process.stdin,
  output: process.stdout,
  signal: off.signal,
});
// Idle connections of fetch would keep the process for some seconds.
process.exit(wasRight ? 0 : 1);

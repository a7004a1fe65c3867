/**
 * `npm run conformance -- --url URL [--restart CMD] [--clock URL] [--only NAME …] [--json]`: tries every sentence of the acquirer protocol
 * (docs/acquirers/protocol.md) at an acquirer, a line each. ACQUIRER_TOKENS has its bearer token, or two with a comma. Ends with 0 if all
 * passed, with 1 if one failed, and with 2 if one was not tried.
 */
import { exec } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { openAcquirer } from './acquirer.ts';
import { sentences, type Tried, tryAll } from './conformance.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    restart: { type: 'string' },
    clock: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
  },
});
const { url, restart, clock, only } = values;
const unknown = only.filter((name) => !sentences.some((sentence) => sentence.name === name));
if (url === undefined || !URL.canParse(url) || unknown.length > 0) {
  const names = sentences.map(({ name, says }) => `  ${name.padEnd(22)} ${says}`);
  process.stderr.write(
    `npm run conformance -- --url URL [--restart CMD] [--clock URL] [--only NAME …] [--json]\n${names.join('\n')}\n`,
  );
  process.exit(64);
}
const tokens = (process.env['ACQUIRER_TOKENS'] ?? '').split(',').filter((token) => token !== '');

async function answers(at: string): Promise<void> {
  for (let tried = 0; tried < 300; tried++) {
    if (
      await openAcquirer(at, tokens[0])
        .ask('capabilities', {})
        .catch(() => undefined)
    )
      return;
    await sleep(100);
  }
  throw new Error('the acquirer did not answer within 30 seconds after the restart');
}

async function putOffset(at: string, to: Date | undefined): Promise<void> {
  const offsetMs = to === undefined ? 0 : to.getTime() - Date.now();
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(at, { method: 'PUT', headers, body: JSON.stringify({ offsetMs }) });
  if (!answer.ok) throw new Error(`the clock answered ${answer.status}`);
}

const run = promisify(exec);
const all: Tried[] = [];
for await (const one of tryAll({
  url,
  tokens,
  only,
  restart: restart === undefined ? undefined : () => run(restart).then(() => answers(url)),
  moveClock: clock === undefined ? undefined : (to) => putOffset(clock, to),
})) {
  all.push(one);
  if (!values.json) {
    process.stdout.write(`${one.outcome.padEnd(10)} ${one.name.padEnd(22)} ${one.says}\n`);
    if (one.because !== null) process.stdout.write(`${' '.repeat(11)}${one.because}\n`);
  }
}
const has = (outcome: Tried['outcome']) => all.some((one) => one.outcome === outcome);
if (values.json) process.stdout.write(`${JSON.stringify(all, undefined, 2)}\n`);
process.exitCode = has('FAILED') ? 1 : has('NOT TRIED') ? 2 : 0;

/**
 * `npm run listen -- [--forward-to URL] [--since 1h] [--type payment.*]`: prints a merchant's events as they happen, and forwards them
 * signed as webhooks are. The merchant is the first of this checkout's stack, or the one that COBRO_URL and COBRO_KEY name.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@cobro/client/merchant.ts';
import { listen } from './listen/listen.ts';
import { readListenOptions } from './listen/listen-options.ts';
import { openPosition } from './listen/position.ts';
import { demoFile } from './stack/demo-file.ts';
import { stackFolder } from './stack/run-record.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);
const off = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => off.abort());

function whoListens(): { baseUrl: string; apiKey: string } {
  const { COBRO_URL: baseUrl, COBRO_KEY: apiKey } = process.env;
  if (baseUrl && apiKey) return { baseUrl, apiKey };
  if (!existsSync(demoFile)) throw new Error('No stack runs here: npm start, or set COBRO_URL and COBRO_KEY.');
  return JSON.parse(readFileSync(demoFile, 'utf8')) as { baseUrl: string; apiKey: string };
}

try {
  const options = readListenOptions(process.argv.slice(2));
  const { baseUrl, apiKey } = whoListens();
  const position = openPosition(join(stackFolder, 'listen.json'), apiKey);
  if (options.forwardTo !== undefined) say(`Forwarding to ${options.forwardTo.href}, signed with ${position.secret}`);
  say('Waiting for events. Ctrl-C ends it.');
  await listen({ ...options, client: createClient({ baseUrl, apiKey }), position, say, signal: off.signal });
} catch (error) {
  if (!off.signal.aborted) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
process.exit();

import { mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { freePort } from '@cobro/testing/free-port.ts';
import { runScript } from '@cobro/testing/run-script.ts';
import { until } from '@cobro/testing/until.ts';
import type { SmallServer } from '../../dev/stack/small-http-server.ts';
import { openSpanSink } from '../../dev/stack/span-sink.ts';
import { readSpans } from './spans.ts';

const KEPT = 100_000;
const BATCHES = 400;
const IN_A_BATCH = 10;

let folder: string;
let sink: SmallServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cobro-spans-'));
  sink = await openSpanSink(await freePort(), join(folder, 'run.jsonl'), KEPT);
  // As .stack/spans.jsonl is.
  symlinkSync('run.jsonl', join(folder, 'spans.jsonl'));
});
afterEach(async () => {
  await sink.close();
  rmSync(folder, { recursive: true });
});

async function send(batch: number): Promise<void> {
  const spans = Array.from({ length: IN_A_BATCH }, (_, i) => ({
    traceId: 'b29f1e4424df01e1b29f1e4424df01e1',
    spanId: 'b29f1e4424df01e1',
    name: `span ${batch * IN_A_BATCH + i}`,
    startTimeUnixNano: '1795186390045123456',
    endTimeUnixNano: '1795186390163965000',
  }));
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  const { status } = await fetch(`${sink.url}/v1/traces`, { method: 'POST', body });
  expect(status).toBe(200);
}

/** The numbers in the names of what is in the file. */
const numbers = (file: string) => readSpans(file).map(({ name }) => Number(name.slice('span '.length)));

const isUnbroken = (found: number[]) => found.every((number, i) => i === 0 || number === (found[i - 1] ?? 0) + 1);

test('the newest spans are kept, whole and without a gap, and can be read at every moment', async () => {
  const file = join(folder, 'spans.jsonl');
  // Another process reads all the while: what it finds never has a gap and never goes back.
  const reader = runScript(`
    const { readSpans } = await import('./test/e2e/spans.ts');
    let [newest, reads] = [-1, 0];
    const look = () => {
      const found = readSpans(${JSON.stringify(file)}).map(({ name }) => Number(name.slice('span '.length)));
      const broken = found.some((number, i) => i > 0 && number !== found[i - 1] + 1);
      const last = found.at(-1) ?? newest;
      if (broken || last < newest) { console.log('wrong: ' + found.slice(0, 3) + ' to ' + last + ' after ' + newest); process.exit(1); }
      newest = last;
      reads += 1;
      if (newest < ${BATCHES * IN_A_BATCH - 1}) setTimeout(look, 1);
      else { console.log('reads ' + reads); process.exit(0); }
    };
    console.log('reading');
    look();`);
  await until('somebody reads', () => reader.output.stdout.includes('reading'));
  let cuts = 0;
  for (let batch = 0, before = 0; batch < BATCHES; batch++) {
    await send(batch);
    const { size } = statSync(file);
    if (size < before) cuts += 1;
    before = size;
    expect(size).toBeLessThanOrEqual(KEPT);
    expect(numbers(file).at(-1)).toBe(batch * IN_A_BATCH + IN_A_BATCH - 1);
  }
  expect(cuts).toBeGreaterThan(10);
  const kept = numbers(file);
  expect(isUnbroken(kept)).toBe(true);
  expect(statSync(file).size).toBeGreaterThan(KEPT * 0.7);
  expect({ code: await reader.ended, ...reader.output }).toMatchObject({ code: 0, stderr: '' });
  expect(Number(/reads (\d+)/.exec(reader.output.stdout)?.[1])).toBeGreaterThan(10);
});

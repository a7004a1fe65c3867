import '@cobro/testing/check-answers.ts';
import { expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { testDatabase } from '@cobro/testing/test-database.ts';
import { merchant } from '@cobro/testing/test-facts.ts';
import { insertManyPayments } from './many-payments.ts';
import { startReporting } from './reporting-under-test.ts';

test('measure', async () => {
  const database = await testDatabase('reporting');
  const reporting = await startReporting(database.url);
  const organizationId = newId();
  await insertManyPayments(reporting.db, [organizationId], { count: 100_000 });
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  const begun = performance.now();
  const answer = await reporting.open(merchant(organizationId), '/report/payment.csv?language=en');
  const ids: string[] = [];
  let bytes = 0;
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) { const m = /,([0-9a-f-]{36}),/.exec(line); if (m) ids.push(m[1] ?? ''); }
  }
  clearInterval(timer);
  const tookMs = performance.now() - begun;
  process.stderr.write(`MEASURED rows ${ids.length} bytes ${bytes} ms ${Math.round(tookMs)} rss before ${before >> 20} most ${most >> 20} MB\n`);
  const walked: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await reporting.get(merchant(organizationId), `/report/payment?limit=100${cursor}`);
    walked.push(...body.data.map((one: { id: string }) => one.id));
    if (body.pagination.nextCursor === null) break;
    cursor = `&cursor=${body.pagination.nextCursor}`;
  }
  process.stderr.write(`MEASURED walked ${walked.length} equal ${JSON.stringify(walked) === JSON.stringify(ids)}\n`);
  expect(walked).toEqual(ids);
  await reporting.close();
  await database.drop();
}, 600_000);

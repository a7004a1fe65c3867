import { silentLog } from '@cobro/testing/silent-log.ts';
import { testDatabase } from '@cobro/testing/test-database.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import { openDatabase, sql } from './database.ts';
import { openListener } from './listener.ts';

test('a notice that cannot be read is a gap, and the next is heard', async () => {
  const database = await testDatabase('intents');
  const db = openDatabase({ url: database.url, schema: 'intents' });
  const heard: unknown[] = [];
  let gaps = 0;
  const listener = openListener({
    url: database.url,
    name: 'test',
    channel: 'intents',
    onNotice: (payload) => void heard.push(JSON.parse(payload)),
    onGap: () => void gaps++,
    log: silentLog,
  });
  try {
    await until('it listens', async () => gaps === 1);
    for (const payload of ['', 'x', '{"intent":"1"}']) await db.run(sql`select pg_notify('intents', ${payload})`);
    await until('the last is heard', async () => heard.length > 0);
    expect([heard, gaps]).toEqual([[{ intent: '1' }], 3]);
  } finally {
    await listener.close();
    await db.close();
    await database.drop();
  }
});

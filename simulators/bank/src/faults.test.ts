import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@cobro/testing/until.ts';
import { spawnBank, teller, type SpawnedBank } from './bank-under-test.ts';

let bank: SpawnedBank;
let say: ReturnType<typeof teller>;
beforeAll(async () => {
  bank = await spawnBank();
  say = teller(bank);
});
afterEach(() => bank.call('DELETE', '/faults'));
afterAll(() => bank.close());

const notFound = { outcome: 'not_found', closed: false };
const sell = async (key: string, name?: Parameters<typeof say.token>[0], timeoutMs?: number) =>
  bank.post('/sales', { token: await say.token(name), amount: 100, currency: 'MXN' }, key, timeoutMs);

describe('a card', () => {
  test('silentDone does it and never answers; its other operations do', async () => {
    const key = randomUUID();
    await expect(sell(key, 'silentDone', 2_000)).rejects.toThrow(/timeout/);
    const sale = await bank.inquire(key);
    expect(sale).toMatchObject({ outcome: 'approved' });
    expect(await say.refund(sale, 100)).toMatchObject({ outcome: 'approved' });
  });
  test('silentNotDone neither does it nor answers', async () => {
    const key = randomUUID();
    await expect(sell(key, 'silentNotDone', 700)).rejects.toThrow(/timeout/);
    expect(await bank.inquire(key)).toEqual(notFound);
  });
  test('error answers 500 and does nothing', async () => {
    const key = randomUUID();
    expect((await sell(key, 'error')).status).toBe(500);
    expect(await bank.inquire(key)).toEqual(notFound);
  });
});

describe('a fault for the next operation of a kind', () => {
  test('is met once, by that kind only', async () => {
    await bank.call('PUT', '/faults', { next: [{ kind: 'capture', fault: 'silentDone' }] });
    const authorization = await say.authorize(100);
    const key = randomUUID();
    const asked = { authorization: authorization['reference'], amount: 100 };
    await expect(bank.post('/captures', asked, key, 2_000)).rejects.toThrow(/timeout/);
    expect((await bank.call('GET', '/faults')).body['next']).toEqual([]);
    expect((await bank.post('/captures', asked, key)).body).toMatchObject({ outcome: 'approved' });
  });
  test('drop does it and cuts the connection', async () => {
    await bank.call('PUT', '/faults', { next: [{ kind: 'sale', fault: 'drop' }] });
    const key = randomUUID();
    await expect(sell(key)).rejects.toThrow(/fetch failed/);
    expect(await bank.inquire(key)).toMatchObject({ outcome: 'approved' });
  });
  test('rubbish does it and answers with what nobody can read', async () => {
    await bank.call('PUT', '/faults', { next: [{ kind: 'sale', fault: 'rubbish' }] });
    const key = randomUUID();
    await expect(sell(key)).rejects.toThrow(/JSON/);
    expect(await bank.inquire(key)).toMatchObject({ outcome: 'approved' });
  });
  test('decline says no on record, and leaves things as they are', async () => {
    await bank.call('PUT', '/faults', { next: [{ kind: 'void', fault: 'decline' }] });
    const authorization = await say.authorize(100);
    expect(await say.void(authorization)).toMatchObject({ outcome: 'declined', declineCode: 'do_not_honor' });
    expect(await say.void(authorization)).toMatchObject({ outcome: 'approved' });
  });
  test('can keep an inquiry from answering', async () => {
    await bank.call('PUT', '/faults', { next: [{ kind: 'inquire', fault: 'error' }] });
    expect(await bank.inquire(randomUUID())).toMatchObject({ error: 'internal' });
    expect(await bank.inquire(randomUUID())).toEqual(notFound);
  });
  test('held waits until the faults are set anew', async () => {
    await bank.call('PUT', '/faults', { next: [{ kind: 'sale', fault: 'held' }] });
    const key = randomUUID();
    const sale = sell(key);
    await until('the bank has it', async () => (await bank.inquire(key))['outcome'] === 'in_progress');
    await bank.call('PUT', '/faults', {});
    expect((await sale).body).toMatchObject({ outcome: 'approved' });
  });
  test('slow waits as long as it is told', async () => {
    await bank.call('PUT', '/faults', { next: [{ kind: 'sale', fault: 'slow' }], slowMs: 400 });
    const began = Date.now();
    expect((await sell(randomUUID())).body).toMatchObject({ outcome: 'approved' });
    expect(Date.now() - began).toBeGreaterThanOrEqual(395);
  });
});

describe('faults by rate', () => {
  const statuses = async (): Promise<number[]> => {
    const token = await say.token();
    const seen: number[] = [];
    for (let i = 0; i < 60; i += 1)
      seen.push((await bank.post('/sales', { token, amount: 1, currency: 'MXN' })).status);
    return seen;
  };
  test('meet that share of the operations, the same ones for the same seed', async () => {
    const settings = { rates: { error: 0.3 }, kinds: ['sale'], seed: 7 };
    await bank.call('PUT', '/faults', settings);
    const first = await statuses();
    await bank.call('PUT', '/faults', settings);
    expect(await statuses()).toEqual(first);
    const errors = first.filter((status) => status === 500).length;
    expect(errors).toBeGreaterThan(8);
    expect(errors).toBeLessThan(30);
  });
  test('never meet a key that has its answer, and end with DELETE', async () => {
    const key = randomUUID();
    const asked = { token: await say.token(), amount: 100, currency: 'MXN' };
    const first = await bank.post('/sales', asked, key);
    await bank.call('PUT', '/faults', { rates: { error: 1 } });
    expect(await bank.post('/sales', asked, key)).toEqual(first);
    expect((await bank.post('/sales', asked)).status).toBe(500);
    await bank.call('DELETE', '/faults');
    expect((await bank.post('/sales', asked)).status).toBe(200);
  });
  test.each([{ rates: { error: 1.1 } }, { rates: { error: 0.6, drop: 0.6 } }, { rates: { typo: 1 } }, { ratio: 1 }])(
    'that make no sense are refused: %j',
    async (settings) => expect((await bank.call('PUT', '/faults', settings)).status).toBe(400),
  );
});

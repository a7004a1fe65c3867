import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { sql } from '@cobro/postgres/database.ts';
import { runAdmin } from '@cobro/service-kit/run-admin.ts';
import { packedFile } from '@cobro/testing/test-process.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { payer } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import { adminTables } from '../../ops/admin-tables.ts';
import { repositoryFolder } from '../../dev/stack/run-record.ts';
import { startLoad } from './load.ts';
import type { StackUnderTest } from './stack-under-test.ts';

interface ListPage {
  data: { id: string }[];
  pagination: { nextCursor: string | null };
}

/** Reporting's tables are rebuilt from the other services' data while everything else goes on. */
export function rebuild({ stack, db, merchant, developer, agreed }: StackUnderTest): void {
  async function admin(...args: string[]) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const env = { DATABASE_URL: stack().databaseUrl };
    const code = await runAdmin({ tables: adminTables, args: ['reporting', ...args, '--json'], env, stdout, stderr });
    const [out, notes] = await Promise.all([stdout, stderr].map((stream) => text(stream.end())));
    return { code, result: out ? JSON.parse(out) : undefined, notes: notes ?? '' };
  }

  /** Begins a walk through the giant's list, or its payments of a type, with the first page. */
  async function openWalk(limit: number, type?: string) {
    const listed = async () => {
      const { organizationId } = stack().merchants;
      const rows = await db('reporting').many<{ id: string }>(sql`
        select id from payment
        where organization_id = ${organizationId} and status is not null and type = coalesce(${type ?? null}, type)`);
      return new Set(rows.map(({ id }) => id));
    };
    const filter = type === undefined ? '' : `&type=${type}`;
    const pageAt = async (cursor: string | null) => {
      const at = cursor === null ? '' : `&cursor=${cursor}`;
      const { status, body } = await developer<ListPage>(`/developer/v1/payment?limit=${limit}${filter}${at}`);
      expect(status).toBe(200);
      return body;
    };
    const before = await listed();
    const first = await pageAt(null);
    const after = await listed();
    return {
      /** Goes on to the end. The walk must show each payment listed before it began once, and none that came after its first page. */
      finish: async () => {
        const seen = first.data.map(({ id }) => id);
        for (let cursor = first.pagination.nextCursor; cursor !== null;) {
          const { data, pagination } = await pageAt(cursor);
          seen.push(...data.map(({ id }) => id));
          cursor = pagination.nextCursor;
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect([...before].filter((id) => !seen.includes(id))).toEqual([]);
        expect(seen.filter((id) => !after.has(id))).toEqual([]);
      },
    };
  }

  /** Makes a payment of a payment link, with a promotion and a salesperson. */
  async function payLink(): Promise<{ id: string; link: string }> {
    const make = async (path: string, body: object) => {
      const made = await merchant().send('POST', path, { body });
      expect(made.status).toBe(201);
      return (made.body as { id: string }).id;
    };
    const times = { startsAt: '2026-01-01T00:00:00-06:00', endsAt: '2040-01-01T00:00:00-06:00' };
    const promotion = await make('/promotion', { name: 'Hot Sale', businessTake: 1, terms: [1], ...times });
    const salespersonId = await make('/salesperson', { name: 'Lucía', username: `lucia-${newId().slice(-12)}` });
    const link = await make('/payment-link', { amount: 350, description: 'Clase de yoga', salespersonId });
    const attempt = { attemptId: newId(), amount: 350, card: cardBody(), billingInformation: payer };
    const id = await make(`/payment-link/${link}/payment`, attempt);
    expect((await merchant().send('POST', `/promotion/${promotion}/end`)).status).toBe(200);
    return { id, link };
  }

  const leftOvers = () =>
    db('reporting').many<{ name: string }>(sql`
      select nspname as name from pg_namespace where starts_with(nspname, 'reporting') and nspname <> 'reporting'`);
  const listing = () =>
    db('reporting').many<{ id: string; listedAt: string }>(sql`
      select id, listed_at::text as "listedAt" from payment where status is not null order by id`);
  const tables = async () =>
    (await db('reporting').one<{ oid: number }>(sql`select 'payment'::regclass::oid::int as oid`)).oid;

  test('under load the tables are made anew and take the place of the old ones: all is equal, walks go on whole, the projection too', async () => {
    const load = startLoad(merchant(), await merchant().saveCard());
    await until('the load has begun', () => load.done() > 3);
    const walks = [await openWalk(100), await openWalk(37, 'CARD_NOT_PRESENT'), await openWalk(11, 'CARD_PRESENT')];
    const linked = await payLink();
    const detail = async () => (await developer(`/developer/v1/payment/${linked.id}`)).body;
    const ofLink = async () =>
      (await developer<ListPage>(`/developer/v1/payment?paymentLinkId=${linked.link}`)).body.data.map(({ id }) => id);
    await until('the payment of a link is listed', async () => (await ofLink()).length === 1);
    const shown = await detail();
    const [listed, before] = [await listing(), await tables()];

    const { code, result, notes } = await admin('rebuild', '--batch', '1000');

    expect({ code, notes }).toEqual({ code: 0, notes: expect.stringContaining('the new tables serve') });
    expect(result).toMatchObject({
      differences: [],
      newlyListed: expect.any(Number),
      eventsWaitedMs: expect.any(Number),
    });
    expect(result.payments).toBeGreaterThanOrEqual(listed.length);
    expect(await tables()).not.toBe(before);
    expect(await leftOvers()).toEqual([]);
    expect([await detail(), await ofLink()]).toEqual([shown, [linked.id]]);
    const anew = new Map((await listing()).map(({ id, listedAt }) => [id, listedAt]));
    expect(listed.filter(({ id, listedAt }) => anew.get(id) !== listedAt)).toEqual([]);
    const doneAtTheSwap = load.done();
    await until('the load goes on', () => load.done() > doneAtTheSwap + 5);
    const { refusals, lost } = await load.stop();
    expect({ refusals, lost }).toEqual({ refusals: [], lost: [] });
    await Promise.all(walks.map((walk) => walk.finish()));
    await expect(agreed()).resolves.toBeUndefined();
    process.stderr.write(
      `rebuilt ${result.payments} payments under load in ${result.seconds} s; events waited ${result.eventsWaitedMs} ms\n`,
    );
  }, 600_000);

  test('what differs is shown, with exit code 1; the new tables wait for a word, and then they serve', async () => {
    const reporting = db('reporting');
    const [lost, wrong] = await reporting.many<{ id: string; issuingBank: string }>(sql`
      select id, issuing_bank as "issuingBank" from payment where status = 'CONFIRMED' order by id limit 2`);
    if (lost === undefined || wrong === undefined) throw new Error('nothing is confirmed');
    await reporting.run(sql`delete from payment where id = ${lost.id}`);
    await reporting.run(sql`update payment set issuing_bank = 'ANOTHER' where id = ${wrong.id}`);
    const miscounted = await reporting.one<{ organizationId: string }>(sql`
      update payment_tally set payments = payments + 7
      where ctid = (select ctid from payment_tally where span = 'month' limit 1)
      returning organization_id as "organizationId"`);
    await reporting.run(sql`
      update day_sum set take = take + 7 where ctid = (select ctid from day_sum where moment = 'settled' limit 1)`);
    const differences = [
      { table: 'payment', id: lost.id, what: 'row', served: 'missing', anew: 'there' },
      { table: 'payment', id: wrong.id, what: 'issuing_bank', served: 'ANOTHER', anew: wrong.issuingBank },
      { table: 'payment_tally', id: expect.stringContaining(miscounted.organizationId), what: 'payments' },
      { table: 'day_sum', id: expect.stringContaining(' settled '), what: 'sums', served: 'lacks 0 0 0 0 0 -7' },
    ];

    const before = await tables();
    const { code, result } = await admin('rebuild');
    expect({ code, result }).toMatchObject({ code: 1, result: { differences } });
    expect(await tables()).toBe(before);
    expect(await admin('check')).toMatchObject({ code: 1, result: { differences } });
    expect(await admin('swap')).toMatchObject({ code: 0, result: { newlyListed: 1 } });
    await expect(agreed()).resolves.toBeUndefined();
    expect(await admin('check')).toMatchObject({ code: 1, notes: expect.stringContaining('no complete new tables') });
  }, 300_000);

  /** Runs a rebuild as its own process, and kills it as soon as it has printed this. */
  async function killedAt(sentence: string): Promise<string> {
    const child = spawn(process.execPath, [packedFile('dev/admin.ts'), 'reporting', 'rebuild', '--batch', '50'], {
      env: {
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        STACK_FILE: join(repositoryFolder, 'no-such-stack.json'),
        DATABASE_URL: stack().databaseUrl,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let notes = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      notes += chunk;
      if (notes.includes(sentence)) child.kill('SIGKILL');
    });
    await once(child, 'close');
    expect({ notes, signal: child.signalCode }).toMatchObject({ signal: 'SIGKILL' });
    return notes;
  }

  const deaths = ['begin to retell', 'payment: ', 'all is retold', 'are complete', 'serve; events'];

  test.each(deaths)(
    'killed when it has said “%s” it leaves tables that serve, and the next rebuild begins anew',
    async (sentence) => {
      await killedAt(sentence);
      const card = await merchant().saveCard();
      const { id } = (await merchant().charge(card)).body;
      await until(
        'the projection goes on',
        async () => (await developer(`/developer/v1/payment/${id}`)).status === 200,
      );
      expect(await admin('rebuild')).toMatchObject({ code: 0 });
      expect(await leftOvers()).toEqual([]);
      await expect(agreed()).resolves.toBeUndefined();
    },
    300_000,
  );

  test('killed half-way it can neither be compared nor swapped, and is thrown away by a word', async () => {
    await killedAt('begin to retell');
    const refused = { code: 1, notes: expect.stringContaining('no complete new tables') };
    expect(await admin('check')).toMatchObject(refused);
    expect(await admin('swap')).toMatchObject(refused);
    expect(await leftOvers()).toHaveLength(2);
    expect(await admin('drop')).toMatchObject({ code: 0, result: { dropped: 'reporting_next, reporting_rebuild' } });
    expect(await leftOvers()).toEqual([]);
    await expect(agreed()).resolves.toBeUndefined();
  }, 300_000);

  test('a second rebuild takes the place of the one that is under way, which gives up', async () => {
    const first = admin('rebuild', '--batch', '1');
    await until('it has begun', async () => (await leftOvers()).length === 2);
    expect(await admin('rebuild')).toMatchObject({ code: 0 });
    expect(await first).toMatchObject({ code: 1, notes: expect.stringContaining('Another rebuild has begun') });
    await expect(agreed()).resolves.toBeUndefined();
  }, 300_000);
}

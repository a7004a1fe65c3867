import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openPatiently, sql } from '@cobro/postgres/database.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { awake } from '@cobro/testing/awake.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { packedFile } from '@cobro/testing/test-process.ts';
import type { FeeChannelRow } from './fees/fee-channel.store.ts';
import { lockOrganization } from './organizations/organization.store.ts';

const ORGANIZATION = '0199c1d2-0000-7000-8000-000000000001';
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('payments');
});
afterAll(() => database.drop());

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function admin(...args: string[]): Promise<Ended> {
  const command = [packedFile('services/payments/src/admin.ts'), ...args];
  const env = { DATABASE_URL: database.url, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };
  return promisify(execFile)(process.execPath, command, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ended) => error,
  );
}

const feesOf =
  (organization: string) =>
  async (verb: string, ...args: string[]) => {
    const { code, stdout, stderr } = await admin('fees', verb, '--organization', organization, ...args, '--json');
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as FeeChannelRow[];
  };

const VISA = ['--network', 'VISA', '--funding', 'CREDIT', '--terms', '3'];

describe('an operator', () => {
  test('sets, lists, changes and removes fees, per organization', async () => {
    const [fees, ofOther] = [feesOf(newId()), feesOf(newId())];
    expect(await ofOther('default')).toHaveLength(10);
    expect(await fees('set', ...VISA, '--fee', '4.25', '--discount', '1', '--take', '0.05')).toEqual([
      {
        type: 'CARD_NOT_PRESENT',
        network: 'VISA',
        fundingSource: 'CREDIT',
        terms: 3,
        feeBps: 425,
        promotionFeeDiscountBps: 100,
        promotionBusinessTakeBps: 5,
      },
    ]);
    expect(await fees('set', ...VISA, '--fee', '3')).toMatchObject([{ feeBps: 300, promotionFeeDiscountBps: 0 }]);
    expect(await fees('set', '--fee', '0')).toHaveLength(2);
    expect(await fees('remove')).toMatchObject([{ network: 'VISA' }]);
    expect(await fees('list')).toMatchObject([{ network: 'VISA' }]);
    expect(await ofOther('list')).toHaveLength(10);
  });

  test('waits with fees while the platform changes them', async () => {
    const organization = newId();
    const db = openPatiently({ url: database.url, schema: 'payments', max: 1 });
    await db.run(sql`insert into organization (id, name, sequence) values (${organization}, 'Café Tacuba', 1)`);
    const set = ['fees', 'set', '--organization', organization, '--fee', '3'];
    await db.inTransaction(async (tx) => {
      await lockOrganization(tx, organization);
      // Until the lock's time limit.
      expect(await awake(tx, admin(...set))).toMatchObject({ code: 1 });
    });
    expect(await admin(...set)).toMatchObject({ code: 0, stderr: '' });
    await db.close();
  });

  test('reads the fees as a table', async () => {
    const { code, stdout } = await admin('fees', 'set', '--organization', newId(), '--fee', '3.5', '--network', 'AMEX');
    expect(code).toBe(0);
    expect(stdout).toMatch(/│ feeBps +│/);
    expect(stdout).toMatch(/│ 'AMEX' +│ null +│ 1 +│ 350 +│/);
    expect(await admin('fees', 'list', '--organization', newId())).toMatchObject({ code: 0, stdout: 'none\n' });
  });

  test('is told where payments does not know the organization, and by an error where there is nothing to remove', async () => {
    const organization = newId();
    const stderr = `payments has not heard of an organization ${organization} yet.\n`;
    const set = ['fees', 'set', '--organization', organization, '--fee', '3'];
    expect(await admin(...set)).toMatchObject({ code: 0, stderr });
    expect(await admin('fees', 'remove', '--organization', organization, ...VISA)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'The table of fees has no such row.\n',
    });
    expect(await feesOf(organization)('list')).toHaveLength(1);
  });
});

describe('before a rollback an operator', () => {
  test('switches off the payment links of an organization, or of all', async () => {
    const [ana, beto] = [newId(), newId()];
    const db = openPatiently({ url: database.url, schema: 'payments', max: 1 });
    const make = (organization: string, count: number) =>
      db.run(sql`
        insert into payment_link (id, organization_id, request_digest, description, amount, currency, allowed_terms, created_at,
          updated_at)
        select gen_random_uuid(), ${organization}, '', 'Yoga', 100, 'MXN', '{1}', now(), now() from generate_series(1, ${count}::int)`);
    await make(ana, 3);
    await make(beto, 1_200);
    const off = async (...args: string[]) =>
      JSON.parse((await admin('payment-links', 'switch-off', ...args, '--json')).stdout) as unknown;
    expect(await off('--organization', ana)).toEqual([{ organizationId: ana, switchedOff: 3 }]);
    expect(await off()).toEqual([{ organizationId: beto, switchedOff: 1_200 }]);
    expect(await off()).toEqual([]);
    expect(await db.one(sql`select count(*)::int as on from payment_link where active`)).toEqual({ on: 0 });
    await db.close();
  });

  test('lists the promotions that have not ended, and ends one, for good', async () => {
    const [organization, id] = [newId(), newId()];
    const db = openPatiently({ url: database.url, schema: 'payments', max: 1 });
    await db.run(sql`
      insert into promotion (id, organization_id, request_digest, name, fee_discount_bps, business_take_bps, terms, types, networks,
        issuing_banks, product_ids, partner_id, partner_name, starts_at, ends_at, accepted_at, created_at, updated_at)
      select given, ${organization}, '', 'Buen Fin', 100, 0, '{}', '{}', '{}', '{}', '{}', ${newId()}, 'Fabricante',
        now() - interval '2 days', ends, case when given = ${id} then now() end, now(), now()
      from (values (${id}::uuid, now() + interval '1 day'), (${newId()}::uuid, now() - interval '1 day')) as made (given, ends)`);
    const list = async () =>
      JSON.parse((await admin('promotions', 'list', '--organization', organization, '--json')).stdout) as unknown;
    const shown = { id, organizationId: organization, name: 'Buen Fin', paymentsCount: 0, sponsor: 'Fabricante' };
    expect(await list()).toMatchObject([{ ...shown, status: 'ACTIVE', maxPayments: null }]);
    const end = async () => JSON.parse((await admin('promotions', 'end', '--id', id, '--json')).stdout) as unknown;
    expect(await end()).toMatchObject({ ...shown, status: 'ENDED' });
    expect(await end()).toMatchObject({ ...shown, status: 'ENDED' });
    expect(await list()).toEqual([]);
    expect(await admin('promotions', 'end', '--id', organization)).toMatchObject({
      code: 1,
      stderr: `There is no promotion ${organization}.\n`,
    });
    await db.close();
  });
});

describe('a command line that is wrong', () => {
  test.each([
    [[], 'Commands:'],
    [['fees', 'list'], '--organization must be a UUID'],
    [['fees', 'burn', '--organization', ORGANIZATION], 'There is no command “fees burn”.'],
    [['fees', 'set', '--organization', ORGANIZATION], '--fee is required'],
    [['fees', 'set', '--organization', ORGANIZATION, '--fee', '3.555'], '--fee must be a percentage'],
    [['fees', 'set', '--organization', ORGANIZATION, '--fee=-1'], '--fee must be a percentage'],
    [['fees', 'set', '--organization', ORGANIZATION, '--fee', '3', '--discount', '4'], '--discount must not exceed'],
    [['fees', 'set', '--organization', ORGANIZATION, '--fee', '3', '--terms', '0'], '--terms must be a number'],
    [['fees', 'set', '--organization', ORGANIZATION, '--fees', '3'], "Unknown option '--fees'"],
  ])('says what is wrong and changes nothing: %j', async (args, named) => {
    const { code, stdout, stderr } = await admin(...args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(named);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(await feesOf(ORGANIZATION)('list')).toEqual([]);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { countOpen, UNKNOWN_TOO_LONG_MINUTES } from '@cobro/bank/resolution.store.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { PaymentMethod } from '@cobro/contracts/payment-methods.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { moveToNoon, type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { packedFile } from '@cobro/testing/test-process.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { operationCommands } from './operation-commands.ts';
import { runCommand } from '@cobro/testing/run-command.ts';

let services: RunningServices;
let holds: TestHolds;
let silent: PaymentMethod;
let env: Record<string, string>;

beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds', 'reporting'] });
  await moveToNoon(services);
  holds = await testHolds(services);
  silent = await holds.merchant.saveCard(testCards.silentDone);
  env = {
    PAYMENTS_DATABASE_URL: services.databaseUrl('payments'),
    HOLDS_DATABASE_URL: services.databaseUrl('holds'),
  };
});
beforeEach(() => services.bank.setFaults(unansweredInquiries));
afterAll(() => services?.stop());

const operations = (...args: string[]) =>
  runCommand({ tables: [operationCommands], args: ['operations', ...args], env });
const json = async (...args: string[]): Promise<unknown> =>
  JSON.parse((await operations(...args, '--json')).out || 'null');
const who = ['--by', 'Ana', '--reason', 'case 4711 of the bank'];
const resolve = (id: string, outcome: string, ...more: string[]) =>
  operations('resolve', '--id', id, '--outcome', outcome, ...more, ...who);

type Subject = Pick<Payment, 'id'>;

const openOf = async (service: 'payments' | 'holds', { id }: Subject) =>
  (
    await services.db(service).one<{ id: string }>(sql`
      select id from bank_operation where subject_id = ${id} and status = 'open'`)
  ).id;

/** Makes an open operation old enough for operators. */
async function age(service: 'payments' | 'holds', id: string): Promise<string> {
  await services.db(service).run(sql`
    update bank_operation set claimed_at = claimed_at - interval '2 hours' where id = ${id}`);
  return id;
}

/** A charge that the bank has done without an answer. Nobody waits for it. */
async function silentCharge(): Promise<{ payment: Subject; id: string }> {
  const externalId = newId();
  holds.merchant.charge(silent.id, { externalId }).catch(() => {});
  const find = () =>
    services.db('payments').maybe<Subject>(sql`select id from payment where external_id = ${externalId}`);
  await until('the charge is claimed', async () => (await find()) !== undefined);
  const payment = (await find()) as Subject;
  const id = await openOf('payments', payment);
  await untilDone(id);
  return { payment, id };
}

async function unknownCharge(): Promise<{ payment: Subject; id: string; said: string[] }> {
  const { payment, id } = await silentCharge();
  return { payment, id: await age('payments', id), said: await saidOf(id) };
}

const untilDone = (id: string) => until('the bank has done it', async () => (await saidOf(id))[1] !== '');

/** The bank's statement to an operator who asks by telephone. */
async function saidOf(id: string): Promise<string[]> {
  const entry = (await services.bank.operations()).find(({ idempotencyKey }) => idempotencyKey === id);
  return ['--reference', entry?.reference ?? '', '--time', entry?.createdAt ?? ''];
}

const statusOf = async ({ id }: Subject) =>
  (await services.db('payments').one<{ status: string }>(sql`select status from payment where id = ${id}`)).status;

const agreed = () =>
  untilAgreed({
    bankUrl: services.bank.url,
    payments: services.db('payments'),
    holds: services.db('holds'),
    reporting: services.db('reporting'),
  });

test('an operation stands in the list once its outcome has been unknown for an hour, and is not resolved before', async () => {
  const { payment, id } = await silentCharge();
  expect(await json('list')).toEqual([]);
  expect(await json('list', '--minutes', '0')).toEqual([expect.objectContaining({ id })]);
  expect(await resolve(id, 'not_processed')).toMatchObject({
    code: 1,
    err: expect.stringContaining('younger') as unknown,
  });

  await age('payments', id);
  expect(await json('list')).toEqual([
    expect.objectContaining({ service: 'payments', id, purpose: 'charge', subjectId: payment.id, centavos: 10_000 }),
  ]);
  expect(await countOpen(services.db('payments'), UNKNOWN_TOO_LONG_MINUTES)).toBe(1);
  await services.bank.setFaults({});
  await services.db('payments').run(sql`update bank_operation set inquire_at = now() where id = ${id}`);
  await agreed();
  expect(await countOpen(services.db('payments'), UNKNOWN_TOO_LONG_MINUTES)).toBe(0);
  expect(await json('list')).toEqual([]);
});

test('what the bank said is settled as an answer of the bank is: the payment, its event and all books agree', async () => {
  const { payment, id, said } = await unknownCharge();
  expect(await resolve(id, 'approved', ...said)).toMatchObject({ code: 0, err: '' });
  expect(await statusOf(payment)).toBe('CONFIRMED');
  await agreed();
});

test('who decided what, when and why stays, with the operation before and after', async () => {
  const { id, said } = await unknownCharge();
  await resolve(id, 'approved', ...said);
  const [, reference] = said;
  expect(await json('show', '--id', id)).toMatchObject({
    status: 'approved',
    resolutions: [
      {
        resolution: 'applied',
        decidedBy: 'Ana',
        reason: 'case 4711 of the bank',
        decidedAt: expect.stringMatching(/Z$/) as unknown,
        ending: { outcome: 'approved', reference },
        before: { id, status: 'open', settled_at: null },
        after: { id, status: 'approved', settled_at: expect.any(String) as unknown },
      },
    ],
  });
  const { out } = await operations('show', '--id', id);
  expect(out).toContain('decidedBy: Ana\n');
});

test('a decline, and an operation that the bank never did, end the payment', async () => {
  const [declined, never] = [await unknownCharge(), await unknownCharge()];
  expect(await resolve(declined.id, 'declined', '--code', 'do_not_honor', ...declined.said)).toMatchObject({ code: 0 });
  expect(await resolve(never.id, 'not_processed')).toMatchObject({ code: 0 });
  expect([await statusOf(declined.payment), await statusOf(never.payment)]).toEqual(['CANCELLED', 'CANCELLED']);
  const shown = await services.db('payments').many(sql`
    select decline_code from payment where id = any(${[declined.payment.id, never.payment.id]}) order by created_at`);
  expect(shown).toEqual([{ decline_code: 'do_not_honor' }, { decline_code: 'not_processed' }]);
  // Makes the bank's books agree with the operator, so that later tests can compare them.
  await services.bank.falsify(`
    update operation set outcome = 'declined' where idempotency_key = '${declined.id}';
    delete from operation where idempotency_key = '${never.id}'`);
});

test('a capture, listed before later charges, is settled by holds, and payments hears of it', async () => {
  const held = await holds.place();
  await services.bank.setFaults({ ...unansweredInquiries, next: [{ kind: 'capture', fault: 'silentDone' }] });
  holds.capture(held, { amount: 70 }).catch(() => {});
  await until('the capture is claimed', async () => {
    const open = sql`select from bank_operation where subject_id = ${held.id} and status = 'open'`;
    return (await services.db('holds').many(open)).length === 1;
  });
  const id = await age('holds', await openOf('holds', held));
  await untilDone(id);
  const later = await silentCharge();
  expect(await json('list', '--minutes', '0')).toMatchObject([{ id }, { id: later.id }]);
  await resolve(await age('payments', later.id), 'approved', ...(await saidOf(later.id)));
  expect(await resolve(id, 'approved', ...(await saidOf(id)))).toMatchObject({ code: 0 });
  await until('payments has heard of it', async () => (await statusOf(held)) === 'CONFIRMED');
});

describe('at the same time as something else', () => {
  test('the bank’s own answer counts for more than what the operator has typed', async () => {
    const { payment, id } = await unknownCharge();
    await services.bank.setFaults({});
    expect(await resolve(id, 'not_processed')).toMatchObject({
      code: 1,
      err: 'The bank’s own answer came first: the operation is closed as approved.\n',
    });
    expect(await statusOf(payment)).toBe('CONFIRMED');
    expect(await json('show', '--id', id)).toMatchObject({ resolutions: [{ resolution: 'overtaken', after: null }] });
  });

  test('an operation that is closed is not resolved again', async () => {
    const { id, said } = await unknownCharge();
    await resolve(id, 'approved', ...said);
    expect(await resolve(id, 'not_processed')).toEqual({
      code: 1,
      out: '',
      err: 'The operation is closed: approved.\n',
    });
  });

  test('of several operators one resolves, and the others are said so', async () => {
    const { payment, id, said } = await unknownCharge();
    const all = await Promise.all([
      ...Array.from({ length: 3 }, () => resolve(id, 'approved', ...said)),
      ...Array.from({ length: 3 }, () => resolve(id, 'not_processed')),
    ]);
    expect(all.filter(({ code }) => code === 0)).toHaveLength(1);
    for (const { err } of all.filter(({ code }) => code !== 0)) {
      expect(err).toMatch(/^(Ana has resolved it|The operation is closed)/);
    }
    const first = all.findIndex(({ code }) => code === 0);
    expect(await statusOf(payment)).toBe(first < 3 ? 'CONFIRMED' : 'CANCELLED');
    expect(await json('show', '--id', id)).toMatchObject({ resolutions: [{ resolution: 'applied' }] });
    if (first >= 3) await services.bank.falsify(`delete from operation where idempotency_key = '${id}'`);
  });

  test('a command that dies after it has written down what was said has done its work', async () => {
    const { payment, id, said } = await unknownCharge();
    await services.kill('payments');
    const child = spawn(
      process.execPath,
      [packedFile('dev/admin.ts'), 'operations', 'resolve', '--id', id, '--outcome', 'approved', ...said, ...who],
      {
        env: { ...env, STACK_FILE: '/nowhere', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
        stdio: 'ignore',
      },
    );
    await until('it is written down', async () => {
      const rows = await services.db('payments').many(sql`select from bank_resolution where operation_id = ${id}`);
      return rows.length === 1;
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await statusOf(payment)).toBe('PENDING');
    await services.restart('payments');
    await until('the payment is settled', async () => (await statusOf(payment)) === 'CONFIRMED');
    await agreed();
  });
});

test.each([
  [['approved', '--time', '2026-11-20T12:00:00Z'], 64, '--reference is needed with approved'],
  [['declined', '--code', 'x'], 64, '--time is needed with declined'],
  [['not_processed', '--reference', 'sal_1'], 64, '--reference means nothing with not_processed'],
  [['unknown'], 64, '--outcome must be approved, declined or not_processed'],
  [['approved', '--reference', 'two words', '--time', '2026-11-20T12:00:00Z'], 1, 'The bank cannot have said that'],
  [['approved', '--reference', 'sal_1', '--time', '1926-11-20T12:00:00Z'], 1, 'The bank cannot have said that'],
])('what no bank says is not taken: %j', async ([outcome = '', ...more], code, words) => {
  const id = newId();
  await services.db('payments').run(sql`
    insert into bank_operation (id, purpose, subject_id, amount, claimed_at, inquire_at)
    values (${id}, 'refund', ${newId()}, 100, now() - interval '2 hours', now() + interval '1 year')`);
  expect(await resolve(id, outcome, ...more)).toMatchObject({ code, err: expect.stringContaining(words) as unknown });
  await services.db('payments').run(sql`delete from bank_operation where id = ${id}`);
});

test('an operation that there is not is neither shown nor resolved', async () => {
  const id = newId();
  expect(await operations('show', '--id', id)).toEqual({ code: 1, out: '', err: `There is no operation ${id}.\n` });
  expect((await resolve(id, 'not_processed')).code).toBe(1);
});

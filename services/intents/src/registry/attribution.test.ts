import type { Caller } from '@cobro/contracts/caller.ts';
import { newEvent } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { PartnerPayment } from '@cobro/contracts/partner-payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestIntents, testIntents } from '@cobro/testing/test-intents.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changeTerminal } from './register-terminal.ts';
import { testStaff } from '@cobro/testing/test-staff.ts';

let services: RunningServices;
let shop: TestIntents;
let staff: ReturnType<typeof testStaff>;
let theirs: typeof staff;
beforeAll(async () => {
  services = await startServices({ services: ['intents', 'payments', 'reporting'] });
  shop = await testIntents(services);
  staff = testStaff(shop);
  theirs = testStaff(await testIntents(services));
  const { organizationId } = shop.merchant;
  await services.db('payments').run(sql`
    insert into organization (id, name, sequence) values (${organizationId}, 'Café Tacuba', 1)`);
  await services.db('reporting').run(sql`
    insert into organization (id, name, partner_id, sequence) values (${organizationId}, 'Café Tacuba', ${partnerId}, 1)`);
});
afterAll(() => services?.stop());

const partnerId = newId();
const payer = { email: 'ana@example.com', firstName: 'Ana', lastName: 'Torres' };
const payLink = (id: string) =>
  patiently(() =>
    services.call('payments', {
      method: 'POST',
      path: `/one-time-payment/${id}/payment`,
      caller: { kind: 'public' },
      body: { card: cardBody(), billingInformation: payer },
    }),
  );
const counted = async (table: string) =>
  (await services.db('payments').one<{ n: number }>({ text: `select count(*)::int as n from ${table}`, values: [] })).n;

const untilPaymentsKnows = (id: string, status = 'ACTIVE') =>
  until('payments knows of it', async () => {
    const found = sql`select from salesperson where id = ${id} and status = ${status}`;
    return (await services.db('payments').maybe(found)) !== undefined;
  });

/** The payment as its sales partner reads it. */
async function asPartnerOf(operationCode: number): Promise<PartnerPayment> {
  const caller: Caller = { kind: 'partner', by: { kind: 'key', id: newId() }, partnerId };
  const path = `/developer/payment?operationCode=${operationCode}`;
  const read = async () =>
    ((await services.call('reporting', { path, caller })).body as { data: PartnerPayment[] }).data.find(
      (payment) => payment.operationCode === operationCode,
    );
  await until('reporting has the payment', async () => (await read()) !== undefined);
  return (await read()) as PartnerPayment;
}
const codeOf = ({ body }: { body: unknown }) => (body as { operationCode: number }).operationCode;

describe('what a payment says of who sold', () => {
  test('a one-time payment names its salesperson and that person’s branch, as they were called when it was paid', async () => {
    const branch = await staff.branch('Roma Norte');
    const seller = await staff.seller({ businessStoreBranchId: branch.id });
    const body = { externalId: newId(), salespersonId: seller.id };
    const link = (await staff.link(body)).body as { id: string };
    const named = { id: seller.id, name: 'Lucía Ramos', username: seller.username };
    expect((await staff.get(`/one-time-payment/${link.id}/record`)).body).toMatchObject({ salesperson: named });

    await staff.send('PATCH', `/salesperson/${seller.id}`, { status: 'INACTIVE' });
    await untilPaymentsKnows(seller.id, 'INACTIVE');
    expect(await staff.link({ salespersonId: seller.id })).toMatchObject(refusal(409, 'SALESPERSON_NOT_ACTIVE'));
    expect(await staff.link(body)).toMatchObject({ status: 201, body: { id: link.id } });
    expect(await staff.link({ ...body, salespersonId: undefined })).toMatchObject(refusal(409, 'EXTERNAL_ID_MISMATCH'));

    const paid = await payLink(link.id);
    expect(paid.status).toBe(201);
    const shown = { salesperson: named, businessStoreBranch: { id: branch.id, name: 'Roma Norte' }, terminal: null };
    expect(await asPartnerOf(codeOf(paid))).toMatchObject(shown);
    await staff.send('PATCH', `/salesperson/${seller.id}`, { name: 'Lucía R.' });
    await staff.send('PATCH', `/business-store-branch/${branch.id}`, { name: 'Roma Sur' });
    await until('reporting has the new names', async () => {
      const { n } = await services.db('reporting').one<{ n: number }>(sql`
        select (select count(*) from salesperson where id = ${seller.id} and name = 'Lucía R.')::int
          + (select count(*) from branch where id = ${branch.id} and name = 'Roma Sur')::int as n`);
      return n === 2;
    });
    expect(await asPartnerOf(codeOf(paid))).toMatchObject(shown);
  });

  test('a payment link goes on naming its salesperson, who may have become inactive, in each of its payments', async () => {
    const seller = await staff.seller();
    const body = { amount: 250, description: 'Café', salespersonId: seller.id };
    const made = await staff.send('POST', '/payment-link', body);
    const named = { id: seller.id, name: 'Lucía Ramos', username: seller.username };
    expect(made).toMatchObject({ status: 201, body: { salesperson: named } });
    const { id } = made.body as { id: string };
    await staff.send('PATCH', `/salesperson/${seller.id}`, { status: 'INACTIVE' });
    await untilPaymentsKnows(seller.id, 'INACTIVE');
    expect(await staff.send('POST', '/payment-link', body)).toMatchObject(refusal(409, 'SALESPERSON_NOT_ACTIVE'));
    const unknown = { ...body, salespersonId: newId() };
    expect(await staff.send('POST', '/payment-link', unknown)).toMatchObject(refusal(404, 'SALESPERSON_NOT_FOUND'));
    const paid = await patiently(() =>
      services.call('payments', {
        method: 'POST',
        path: `/payment-link/${id}/payment`,
        caller: { kind: 'public' },
        body: { attemptId: newId(), amount: 250, card: cardBody(), billingInformation: payer },
      }),
    );
    expect(paid.status).toBe(201);
    expect(await asPartnerOf(codeOf(paid))).toMatchObject({ salesperson: named, businessStoreBranch: null });
  });

  test('a tap names whom it says, else whom its terminal is assigned to, and the terminal’s branch before that person’s', async () => {
    const [own, another] = [await staff.branch('Centro'), await staff.branch('Coyoacán')];
    const [assigned, named] = [await staff.seller(), await staff.seller({ businessStoreBranchId: another.id })];
    const pay = async (branchId: string | null, salespersonId: string | null, body: object) => {
      const { terminal, intent } = await shop.ready();
      await changeTerminal(services.db('intents'), { id: terminal.id, branchId, salespersonId });
      await until('reporting has the terminal', async () => {
        const found = sql`select from terminal where id = ${terminal.id}`;
        return (await services.db('reporting').maybe(found)) !== undefined;
      });
      const shown = await asPartnerOf(codeOf(await terminal.pay(intent, undefined, body)));
      expect(shown.terminal).toEqual({ serialNumber: terminal.code });
      return shown;
    };
    expect(await pay(own.id, assigned.id, {})).toMatchObject({
      salesperson: { id: assigned.id, username: assigned.username },
      businessStoreBranch: { name: 'Centro' },
    });
    expect(await pay(own.id, assigned.id, { salespersonId: named.id })).toMatchObject({
      salesperson: { id: named.id },
      businessStoreBranch: { name: 'Centro' },
    });
    expect(await pay(null, null, { salespersonId: named.id })).toMatchObject({
      salesperson: { id: named.id },
      businessStoreBranch: { name: 'Coyoacán' },
    });
    expect(await pay(null, null, {})).toMatchObject({ salesperson: null, businessStoreBranch: null });
  });

  test('a tap for somebody unknown or inactive is refused and charges nothing; a tap sent again is answered whoever is named', async () => {
    const seller = await staff.seller();
    const { terminal, intent } = await shop.ready();
    const attemptId = newId();
    const foreign = await theirs.seller();
    for (const salespersonId of [newId(), foreign.id]) {
      expect(await terminal.pay(intent, undefined, { attemptId, salespersonId })).toMatchObject(
        refusal(404, 'SALESPERSON_NOT_FOUND'),
      );
    }
    await staff.send('PATCH', `/salesperson/${seller.id}`, { status: 'INACTIVE' });
    const body = { attemptId, salespersonId: seller.id };
    expect(await terminal.pay(intent, undefined, body)).toMatchObject(refusal(409, 'SALESPERSON_NOT_ACTIVE'));
    expect(await shop.statusOf(intent)).toBe('PENDING');
    await staff.send('PATCH', `/salesperson/${seller.id}`, { status: 'ACTIVE' });
    const paid = await terminal.pay(intent, undefined, body);
    expect(paid.status).toBe(201);
    await staff.send('PATCH', `/salesperson/${seller.id}`, { status: 'INACTIVE' });
    expect(await terminal.pay(intent, undefined, body)).toMatchObject({ status: 201, body: paid.body });
  });
});

describe('what payments knows of who sells', () => {
  test('payments asks for somebody whom it lacks, refuses the unknown, and applies old and repeated news only once', async () => {
    const seller = await staff.seller({ businessStoreBranchId: (await staff.branch('Juárez')).id });
    await untilPaymentsKnows(seller.id);
    await services.db('payments').run(sql`delete from salesperson where id = ${seller.id}`);
    expect(await staff.link({ salespersonId: newId() })).toMatchObject(refusal(404, 'SALESPERSON_NOT_FOUND'));
    expect(await theirs.link({ salespersonId: seller.id })).toMatchObject(refusal(404, 'SALESPERSON_NOT_FOUND'));
    expect(await staff.link({ salespersonId: 'lucia' })).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
    expect((await staff.link({ salespersonId: seller.id })).status).toBe(201);

    const news = (sequence: number, status: 'ACTIVE' | 'INACTIVE') =>
      newEvent('SalespersonChanged', {
        subject: seller.id,
        sequence,
        time: new Date(),
        data: {
          salespersonId: seller.id,
          organizationId: shop.merchant.organizationId,
          name: seller.name,
          username: seller.username,
          status,
          branchId: null,
        },
      });
    const caller: Caller = { kind: 'service', name: 'intents' };
    const handOver = (body: unknown) =>
      services.call('payments', { method: 'POST', path: '/internal/events', caller, body });
    const [older, newer] = [news(4, 'ACTIVE'), news(5, 'INACTIVE')];
    expect(await handOver(newer)).toMatchObject({ body: { result: 'applied' } });
    expect(await handOver(newer)).toMatchObject({ body: { result: 'duplicate' } });
    await handOver(older);
    expect(await staff.link({ salespersonId: seller.id })).toMatchObject(refusal(409, 'SALESPERSON_NOT_ACTIVE'));
  });

  test('while intents is away, somebody whom payments knows can be named; for anybody else it is 503, and nothing is made', async () => {
    const [known, missed] = [await staff.seller(), await staff.seller()];
    for (const { id } of [known, missed]) await untilPaymentsKnows(id);
    await services.db('payments').run(sql`delete from salesperson where id = ${missed.id}`);
    await services.kill('intents');
    const before = await counted('one_time_payment');
    const body = { externalId: newId(), salespersonId: missed.id };
    expect(await staff.link(body)).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
    expect(await counted('one_time_payment')).toBe(before);
    expect((await staff.link({ salespersonId: known.id })).status).toBe(201);
    await services.restart('intents');
    expect((await staff.link(body)).status).toBe(201);
  });
});

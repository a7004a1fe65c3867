import type { Caller } from '@cobro/contracts/caller.ts';
import { newEvent } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { offsetListOf } from '@cobro/contracts/paging.ts';
import type { PartnerPayment } from '@cobro/contracts/partner-payments.ts';
import { branch as branchShape, type Salesperson, salesperson as personShape } from '@cobro/contracts/salespeople.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type HeardEvents, hearEvents } from '@cobro/testing/hear-events.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestIntents, testIntents } from '@cobro/testing/test-intents.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { changeTerminal } from './register-terminal.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

let services: RunningServices;
let shop: TestIntents;
let other: TestIntents;
let heard: HeardEvents;
beforeAll(async () => {
  services = await startServices({ services: ['intents', 'payments', 'reporting'] });
  [shop, other] = [await testIntents(services), await testIntents(services)];
  heard = await hearEvents(services.broker);
  const { organizationId } = shop.merchant;
  await services.db('reporting').run(sql`
    insert into organization (id, name, partner_id, sequence) values (${organizationId}, 'Café Tacuba', ${partnerId}, 1)`);
});
afterAll(async () => {
  await heard?.close();
  await services?.stop();
});

const partnerId = newId();
const send = (method: string, path: string, body?: unknown, by = shop) =>
  by.merchant.call({ method, path, ...(body === undefined ? {} : { body }) });
const get = (path: string, by = shop) => send('GET', path, undefined, by);

async function aBranch(name = 'Roma Norte', by = shop): Promise<{ id: string }> {
  return (await send('POST', '/business-store-branch', { name }, by)).body as { id: string };
}
const aUsername = () => `lucia-${newId()}`.slice(0, 50);
async function aSeller(body: object = {}, by = shop): Promise<Salesperson> {
  const made = await send('POST', '/salesperson', { name: 'Lucía Ramos', username: aUsername(), ...body }, by);
  expect(made.status).toBe(201);
  return made.body as Salesperson;
}
const aLink = (body: object, by = shop) =>
  send('POST', '/one-time-payment', { amount: 900, description: 'Dos boletos', ...body }, by);
const payLink = (id: string) =>
  patiently(() =>
    services.call('payments', {
      method: 'POST',
      path: `/one-time-payment/${id}/payment`,
      caller: { kind: 'public' },
      body: {
        card: cardBody(),
        billingInformation: { email: 'ana@example.com', firstName: 'Ana', lastName: 'Torres' },
      },
    }),
  );
const counted = async (table: string) =>
  (await services.db('payments').one<{ n: number }>({ text: `select count(*)::int as n from ${table}`, values: [] })).n;

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

describe('branches', () => {
  test('are made, read, renamed and listed, the newest first', async () => {
    const made = await send('POST', '/business-store-branch', { name: 'Roma Norte', externalId: 'b-1' });
    const shown = branchShape.parse(made.body);
    expect(made.status).toBe(201);
    expect(shown).toMatchObject({ name: 'Roma Norte', externalId: 'b-1', updatedAt: shown.createdAt });
    const path = `/business-store-branch/${shown.id}`;
    expect((await get(path)).body).toEqual(shown);
    expect(await heard.data('BranchChanged', shown.id)).toMatchObject({ name: 'Roma Norte' });

    expect(await send('PATCH', path, {})).toMatchObject({ status: 200, body: shown });
    expect(await send('PATCH', path, { name: null })).toMatchObject({ status: 200, body: shown });
    expect(await send('PATCH', path, { name: 'Roma Sur' })).toMatchObject({ status: 200, body: { name: 'Roma Sur' } });
    await aBranch('Condesa');
    const listed = offsetListOf(branchShape).parse((await get('/business-store-branch?pageSize=2')).body);
    expect(listed.items.map(({ name }) => name)).toEqual(['Condesa', 'Roma Sur']);
    expect(listed.count).toBeGreaterThanOrEqual(2);
  });

  test('under an externalId the same request is the original, also sent many times at once, and another one a mismatch', async () => {
    const body = { name: 'Polanco', externalId: newId() };
    const answers = await Promise.all(Array.from({ length: 6 }, () => send('POST', '/business-store-branch', body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(answers.map((answer) => (answer.body as { id: string }).id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(5);
    expect(await send('POST', '/business-store-branch', { ...body, name: 'Polanco II' })).toMatchObject(
      refusal(409, 'EXTERNAL_ID_MISMATCH'),
    );
  });

  test('of another merchant are not there, and a bad body names its field', async () => {
    const theirs = await aBranch('Narvarte', other);
    for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }]] as const) {
      expect(await send(method, `/business-store-branch/${theirs.id}`, body)).toMatchObject(
        refusal(404, 'BUSINESS_STORE_BRANCH_NOT_FOUND'),
      );
    }
    for (const [body, message] of [
      [{}, 'name: is required'],
      [{ name: '' }, 'name: must not be empty'],
      [{ name: 'x', city: 'y' }, 'city'],
      [{ name: '4242 4242 4242 4242' }, 'name: must not contain a card number'],
    ] as const) {
      const answer = await send('POST', '/business-store-branch', body);
      expect(answer).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
      expect(JSON.stringify(answer.body)).toContain(message);
    }
  });
});

describe('salespeople', () => {
  test('are made, read, changed and listed by status', async () => {
    const { id: businessStoreBranchId } = await aBranch();
    const seller = personShape.parse(await aSeller({ businessStoreBranchId }));
    expect(seller).toMatchObject({
      name: 'Lucía Ramos',
      status: 'ACTIVE',
      businessStoreBranch: { id: businessStoreBranchId, name: 'Roma Norte' },
    });
    const path = `/salesperson/${seller.id}`;
    expect((await get(path)).body).toEqual(seller);
    const moved = await aBranch('Condesa');
    const change = { status: 'INACTIVE', businessStoreBranchId: moved.id, name: null };
    const changed = await send('PATCH', path, change);
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Lucía Ramos', status: 'INACTIVE', businessStoreBranch: { name: 'Condesa' } },
    });
    expect((await get('/salesperson?status=INACTIVE')).body).toMatchObject({ count: 1, items: [changed.body] });
    expect((await send('PATCH', path, { status: 'ACTIVE' })).body).toMatchObject({ status: 'ACTIVE' });
    expect((await get('/salesperson?status=INACTIVE')).body).toMatchObject({ count: 0, items: [] });
    await until('all is published', async () => heard.of(seller.id).length === 3);
    expect(heard.of(seller.id).map(({ sequence }) => sequence)).toEqual(['1', '2', '3']);
  });

  test('of two changes at once none is lost, and each is published once', async () => {
    const seller = await aSeller();
    const { id: businessStoreBranchId } = await aBranch('Del Valle');
    const changes = [{ name: 'Lucía R.' }, { status: 'INACTIVE' }, { businessStoreBranchId }];
    await Promise.all(changes.map((body) => send('PATCH', `/salesperson/${seller.id}`, body)));
    expect((await get(`/salesperson/${seller.id}`)).body).toMatchObject({
      name: 'Lucía R.',
      status: 'INACTIVE',
      businessStoreBranch: { id: businessStoreBranchId },
    });
    await until('all is published', async () => heard.of(seller.id).length === 4);
    const last = heard.of(seller.id).find(({ sequence }) => sequence === '4');
    expect(last?.data).toMatchObject({ name: 'Lucía R.', status: 'INACTIVE', branchId: businessStoreBranchId });
  });

  test('a username is its own idempotency key: the same request makes nobody else, another one is refused', async () => {
    const body = { name: 'Eva', username: aUsername() };
    const answers = await Promise.all(Array.from({ length: 6 }, () => send('POST', '/salesperson', body)));
    expect(new Set(answers.map((answer) => (answer.body as { id: string }).id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(5);

    const username = aUsername();
    const race = await Promise.all(['Eva', 'Ana'].map((name) => send('POST', '/salesperson', { name, username })));
    expect(race.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(race.find(({ status }) => status === 409)).toMatchObject(refusal(409, 'USERNAME_TAKEN'));
    expect(await send('POST', '/salesperson', { name: 'Otra', username }, other)).toMatchObject({ status: 201 });
  });

  test('a bad body, a branch of another and somebody of another are refused, and change nothing', async () => {
    const theirs = { branch: await aBranch('Narvarte', other), seller: await aSeller({}, other) };
    const username = aUsername();
    for (const body of [
      { name: 'Eva' },
      { name: 'Eva', username: 'ab' },
      { name: 'Eva', username: 'Eva' },
      { name: 'Eva', username: 'é'.repeat(5) },
      { name: 'Eva', username: 'x'.repeat(51) },
      { name: 'Eva', username: testCards.approved },
      { name: 'Eva', username, status: 'INACTIVE' },
    ]) {
      expect(await send('POST', '/salesperson', body)).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
    }
    const unknown = { businessStoreBranchId: theirs.branch.id };
    expect(await send('POST', '/salesperson', { name: 'Eva', username, ...unknown })).toMatchObject(
      refusal(404, 'BUSINESS_STORE_BRANCH_NOT_FOUND'),
    );
    const seller = await aSeller();
    for (const [body, code] of [
      [unknown, 'BUSINESS_STORE_BRANCH_NOT_FOUND'],
      [{ username: 'other' }, 'VALIDATION_ERROR'],
      [{ status: 'GONE' }, 'VALIDATION_ERROR'],
    ] as const) {
      expect((await send('PATCH', `/salesperson/${seller.id}`, body)).body).toMatchObject({ code });
    }
    expect((await get(`/salesperson/${seller.id}`)).body).toEqual(seller);
    expect(await get(`/salesperson/${theirs.seller.id}`)).toMatchObject(refusal(404, 'SALESPERSON_NOT_FOUND'));
    expect((await send('POST', '/salesperson', { name: 'Eva', username })).status).toBe(201);
  });
});

describe('what a payment says of who sold', () => {
  test('a one-time payment names its salesperson and that person’s branch, as they were called when it was paid', async () => {
    const branch = await aBranch('Roma Norte');
    const seller = await aSeller({ businessStoreBranchId: branch.id });
    const body = { externalId: newId(), salespersonId: seller.id };
    const link = (await aLink(body)).body as { id: string };
    const named = { id: seller.id, name: 'Lucía Ramos', username: seller.username };
    expect((await get(`/one-time-payment/${link.id}/record`)).body).toMatchObject({ salesperson: named });

    await send('PATCH', `/salesperson/${seller.id}`, { status: 'INACTIVE' });
    expect(await aLink({ salespersonId: seller.id })).toMatchObject(refusal(409, 'SALESPERSON_NOT_ACTIVE'));
    expect(await aLink(body)).toMatchObject({ status: 201, body: { id: link.id } });
    expect(await aLink({ ...body, salespersonId: undefined })).toMatchObject(refusal(409, 'EXTERNAL_ID_MISMATCH'));

    const paid = await payLink(link.id);
    expect(paid.status).toBe(201);
    const shown = { salesperson: named, businessStoreBranch: { id: branch.id, name: 'Roma Norte' }, terminal: null };
    expect(await asPartnerOf(codeOf(paid))).toMatchObject(shown);
    await send('PATCH', `/salesperson/${seller.id}`, { name: 'Lucía R.' });
    await send('PATCH', `/business-store-branch/${branch.id}`, { name: 'Roma Sur' });
    await until('reporting has the new names', async () => {
      const { n } = await services.db('reporting').one<{ n: number }>(sql`
        select (select count(*) from salesperson where id = ${seller.id} and name = 'Lucía R.')::int
          + (select count(*) from branch where id = ${branch.id} and name = 'Roma Sur')::int as n`);
      return n === 2;
    });
    expect(await asPartnerOf(codeOf(paid))).toMatchObject(shown);
  });

  test('a tap names whom it says, else whom its terminal is assigned to, and the terminal’s branch before that person’s', async () => {
    const [own, theirs] = [await aBranch('Centro'), await aBranch('Coyoacán')];
    const [assigned, named] = [await aSeller(), await aSeller({ businessStoreBranchId: theirs.id })];
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
    const seller = await aSeller();
    const { terminal, intent } = await shop.ready();
    const attemptId = newId();
    const theirs = await aSeller({}, other);
    for (const salespersonId of [newId(), theirs.id]) {
      expect(await terminal.pay(intent, undefined, { attemptId, salespersonId })).toMatchObject(
        refusal(404, 'SALESPERSON_NOT_FOUND'),
      );
    }
    await send('PATCH', `/salesperson/${seller.id}`, { status: 'INACTIVE' });
    const body = { attemptId, salespersonId: seller.id };
    expect(await terminal.pay(intent, undefined, body)).toMatchObject(refusal(409, 'SALESPERSON_NOT_ACTIVE'));
    expect(await shop.statusOf(intent)).toBe('PENDING');
    await send('PATCH', `/salesperson/${seller.id}`, { status: 'ACTIVE' });
    const paid = await terminal.pay(intent, undefined, body);
    expect(paid.status).toBe(201);
    await send('PATCH', `/salesperson/${seller.id}`, { status: 'INACTIVE' });
    expect(await terminal.pay(intent, undefined, body)).toMatchObject({ status: 201, body: paid.body });
  });

  test('payments asks for somebody whom it lacks, refuses the unknown, and applies old and repeated news only once', async () => {
    const seller = await aSeller({ businessStoreBranchId: (await aBranch('Juárez')).id });
    await services.db('payments').run(sql`delete from salesperson where id = ${seller.id}`);
    expect(await aLink({ salespersonId: newId() })).toMatchObject(refusal(404, 'SALESPERSON_NOT_FOUND'));
    expect(await aLink({ salespersonId: seller.id }, other)).toMatchObject(refusal(404, 'SALESPERSON_NOT_FOUND'));
    expect(await aLink({ salespersonId: 'lucia' })).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
    expect((await aLink({ salespersonId: seller.id })).status).toBe(201);

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
    expect(await aLink({ salespersonId: seller.id })).toMatchObject(refusal(409, 'SALESPERSON_NOT_ACTIVE'));
  });

  test('while intents is away, somebody whom payments knows can be named; for anybody else it is 503, and nothing is made', async () => {
    const [known, missed] = [await aSeller(), await aSeller()];
    await services.db('payments').run(sql`delete from salesperson where id = ${missed.id}`);
    await services.kill('intents');
    const before = await counted('one_time_payment');
    const body = { externalId: newId(), salespersonId: missed.id };
    expect(await aLink(body)).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
    expect(await counted('one_time_payment')).toBe(before);
    expect((await aLink({ salespersonId: known.id })).status).toBe(201);
    await services.restart('intents');
    expect((await aLink(body)).status).toBe(201);
  });
});

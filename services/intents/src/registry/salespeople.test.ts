import { offsetListOf } from '@cobro/contracts/paging.ts';
import { branch as branchShape, type Salesperson, salesperson as personShape } from '@cobro/contracts/salespeople.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { type HeardEvents, hearEvents } from '@cobro/testing/hear-events.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { testIntents } from '@cobro/testing/test-intents.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aUsername, testStaff } from '@cobro/testing/test-staff.ts';

let services: RunningServices;
let staff: ReturnType<typeof testStaff>;
let theirs: typeof staff;
let heard: HeardEvents;
beforeAll(async () => {
  services = await startServices({ services: ['intents'] });
  staff = testStaff(await testIntents(services, false));
  theirs = testStaff(await testIntents(services, false));
  heard = await hearEvents(services.broker);
});
afterAll(async () => {
  await heard?.close();
  await services?.stop();
});

/** A page of a walk. */
interface Walked {
  data: { id: string }[];
  pagination: { nextCursor: string | null };
}

describe('branches', () => {
  test('are made, read, renamed and listed, the newest first', async () => {
    const made = await staff.send('POST', '/business-store-branch', { name: 'Roma Norte', externalId: 'b-1' });
    const shown = branchShape.parse(made.body);
    expect(made.status).toBe(201);
    expect(shown).toMatchObject({ name: 'Roma Norte', externalId: 'b-1', updatedAt: shown.createdAt });
    const path = `/business-store-branch/${shown.id}`;
    expect((await staff.get(path)).body).toEqual(shown);
    expect(await heard.data('BranchChanged', shown.id)).toMatchObject({ name: 'Roma Norte' });

    expect(await staff.send('PATCH', path, {})).toMatchObject({ status: 200, body: shown });
    expect(await staff.send('PATCH', path, { name: null })).toMatchObject({ status: 200, body: shown });
    expect(await staff.send('PATCH', path, { name: 'Roma Sur' })).toMatchObject({
      status: 200,
      body: { name: 'Roma Sur' },
    });
    await staff.branch('Condesa');
    const listed = offsetListOf(branchShape).parse((await staff.get('/business-store-branch?pageSize=2')).body);
    expect(listed.items.map(({ name }) => name)).toEqual(['Condesa', 'Roma Sur']);
    expect(listed.count).toBeGreaterThanOrEqual(2);
  });

  test('under an externalId the same request is the original, also sent many times at once, and another one a mismatch', async () => {
    const body = { name: 'Polanco', externalId: newId() };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => staff.send('POST', '/business-store-branch', body)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(answers.map((answer) => (answer.body as { id: string }).id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(5);
    expect(await staff.send('POST', '/business-store-branch', { ...body, name: 'Polanco II' })).toMatchObject(
      refusal(409, 'EXTERNAL_ID_MISMATCH'),
    );
  });

  test('of another merchant are not there, and a bad body names its field', async () => {
    const { id } = await theirs.branch('Narvarte');
    for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }]] as const) {
      expect(await staff.send(method, `/business-store-branch/${id}`, body)).toMatchObject(
        refusal(404, 'BUSINESS_STORE_BRANCH_NOT_FOUND'),
      );
    }
    for (const [body, message] of [
      [{}, 'name: is required'],
      [{ name: '' }, 'name: must not be empty'],
      [{ name: 'x', city: 'y' }, 'city'],
      [{ name: '4242 4242 4242 4242' }, 'name: must not contain a card number'],
    ] as const) {
      const answer = await staff.send('POST', '/business-store-branch', body);
      expect(answer).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
      expect(JSON.stringify(answer.body)).toContain(message);
    }
  });
});

describe('salespeople', () => {
  test('are made, read, changed and listed by status', async () => {
    const { id: businessStoreBranchId } = await staff.branch();
    const seller = personShape.parse(await staff.seller({ businessStoreBranchId }));
    expect(seller).toMatchObject({
      name: 'Lucía Ramos',
      status: 'ACTIVE',
      businessStoreBranch: { id: businessStoreBranchId, name: 'Roma Norte' },
    });
    const path = `/salesperson/${seller.id}`;
    expect((await staff.get(path)).body).toEqual(seller);
    const moved = await staff.branch('Condesa');
    const change = { status: 'INACTIVE', businessStoreBranchId: moved.id, name: null };
    const changed = await staff.send('PATCH', path, change);
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Lucía Ramos', status: 'INACTIVE', businessStoreBranch: { name: 'Condesa' } },
    });
    const same = { businessStoreBranchId: moved.id.toUpperCase() };
    expect(await staff.send('PATCH', path, same)).toMatchObject({ status: 200, body: changed.body });
    expect((await staff.get('/salesperson?status=INACTIVE')).body).toMatchObject({ count: 1, items: [changed.body] });
    expect((await staff.send('PATCH', path, { status: 'ACTIVE' })).body).toMatchObject({ status: 'ACTIVE' });
    expect((await staff.get('/salesperson?status=INACTIVE')).body).toMatchObject({ count: 0, items: [] });
    await until('all is published', async () => heard.of(seller.id).length === 3);
    expect(heard.of(seller.id).map(({ sequence }) => sequence)).toEqual(['1', '2', '3']);
  });

  test('of two changes at once none is lost, and each is published once', async () => {
    const seller = await staff.seller();
    const { id: businessStoreBranchId } = await staff.branch('Del Valle');
    const changes = [{ name: 'Lucía R.' }, { status: 'INACTIVE' }, { businessStoreBranchId }];
    await Promise.all(changes.map((body) => staff.send('PATCH', `/salesperson/${seller.id}`, body)));
    expect((await staff.get(`/salesperson/${seller.id}`)).body).toMatchObject({
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
    const answers = await Promise.all(Array.from({ length: 6 }, () => staff.send('POST', '/salesperson', body)));
    expect(new Set(answers.map((answer) => (answer.body as { id: string }).id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(5);

    const username = aUsername();
    const race = await Promise.all(
      ['Eva', 'Ana'].map((name) => staff.send('POST', '/salesperson', { name, username })),
    );
    expect(new Set(race.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect(race.find(({ status }) => status === 409)).toMatchObject(refusal(409, 'USERNAME_TAKEN'));
    expect(await theirs.send('POST', '/salesperson', { name: 'Otra', username })).toMatchObject({ status: 201 });
  });

  test('a bad body, a branch of another and somebody of another are refused, and change nothing', async () => {
    const foreign = { branch: await theirs.branch('Narvarte'), seller: await theirs.seller() };
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
      expect(await staff.send('POST', '/salesperson', body)).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
    }
    const unknown = { businessStoreBranchId: foreign.branch.id };
    expect(await staff.send('POST', '/salesperson', { name: 'Eva', username, ...unknown })).toMatchObject(
      refusal(404, 'BUSINESS_STORE_BRANCH_NOT_FOUND'),
    );
    const seller = await staff.seller();
    for (const [body, code] of [
      [unknown, 'BUSINESS_STORE_BRANCH_NOT_FOUND'],
      [{ username: 'other' }, 'VALIDATION_ERROR'],
      [{ status: 'GONE' }, 'VALIDATION_ERROR'],
    ] as const) {
      expect((await staff.send('PATCH', `/salesperson/${seller.id}`, body)).body).toMatchObject({ code });
    }
    expect((await staff.get(`/salesperson/${seller.id}`)).body).toEqual(seller);
    expect(await staff.get(`/salesperson/${foreign.seller.id}`)).toMatchObject(refusal(404, 'SALESPERSON_NOT_FOUND'));
    expect((await staff.send('POST', '/salesperson', { name: 'Eva', username })).status).toBe(201);
  });

  test('are walked by cursor under /developer/v1 by status, each once, without those who came after the walk began', async () => {
    const own = testStaff(await testIntents(services, false));
    const made: Salesperson[] = [];
    for (let i = 0; i < 5; i++) made.push(await own.seller());
    await own.send('PATCH', `/salesperson/${made[1]?.id}`, { status: 'INACTIVE' });
    const path = '/developer/v1/salesperson';
    const first = (await own.get(`${path}?limit=2&status=ACTIVE`)).body as Walked;
    const late = await own.seller();
    const rest = (await own.get(`${path}?limit=20&status=ACTIVE&cursor=${first.pagination.nextCursor}`)).body as Walked;
    const walked = [...first.data, ...rest.data].map(({ id }) => id);
    expect(walked).toEqual([4, 3, 2, 0].map((i) => made[i]?.id));
    expect(rest.pagination).toEqual({ limit: 20, hasMore: false, nextCursor: null });
    expect((await own.get(`${path}/${late.id}`)).body).toEqual(late);
    expect(await staff.get(`${path}/${late.id}`)).toMatchObject(refusal(404, 'SALESPERSON_NOT_FOUND'));
    expect(await staff.get(`${path}?cursor=${first.pagination.nextCursor}`)).toMatchObject(
      refusal(400, 'INVALID_CURSOR'),
    );
  });
});

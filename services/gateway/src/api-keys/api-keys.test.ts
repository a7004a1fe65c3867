import type { CreatedApiKey } from '@cobro/contracts/api-keys.ts';
import type { CallerOf } from '@cobro/contracts/caller.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { TOKEN_HEADER } from '@cobro/service-kit/internal-token.ts';
import '@cobro/testing/check-answers.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { testRedis } from '@cobro/testing/test-redis.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answered, call } from '../door/test-client.ts';
import { startTestGateway, type TestGateway } from '../door/test-gateway.ts';
import { writeKeyUses } from '../door/write-uses.job.ts';
import { createOrganization } from '../registry/create-organization.ts';
import { revokeKey } from '../registry/revoke-key.ts';

let database: TestDatabase;
/** Two replicas, which share the database. */
let gateway: TestGateway;
let other: TestGateway;

beforeAll(async () => {
  database = await testDatabase('gateway');
  const redis = testRedis();
  gateway = await startTestGateway(database.url, { redis });
  other = await startTestGateway(database.url, { redis, signingKey: gateway.signingKey });
});
afterAll(async () => {
  await Promise.all([gateway.close(), other.close()]);
  await database.drop();
});

type Owner = CallerOf<'person'>;
const ownerOf = (scope: Owner['scope']): Owner => ({
  kind: 'person',
  personId: newId(),
  scope,
  role: 'owner',
  provedAt: new Date().toISOString(),
});
/** The owner of a merchant whose hour has no keys yet. */
async function newOwner(): Promise<Owner & { scope: { organizationId: string } }> {
  const shop = { name: 'Tienda', websiteUrl: undefined, partnerId: undefined, color: undefined };
  const { id: organizationId } = await createOrganization(gateway.db, shop);
  return ownerOf({ kind: 'organization', organizationId }) as Owner & { scope: { organizationId: string } };
}

async function ask(owner: Owner, method: string, path: string, body?: object, at = gateway): Promise<Answered> {
  const headers = {
    [TOKEN_HEADER]: await at.signAsDashboard(owner, 'gateway'),
    ...(body && { 'content-type': 'application/json' }),
  };
  return call(at.peopleUrl, method, `/api/api-key${path}`, { headers, ...(body && { body: JSON.stringify(body) }) });
}
const read = ({ body }: Answered) => JSON.parse(body) as CreatedApiKey;
const form = (name = 'Tienda en línea', externalId = newId()) => ({ name, externalId });
const made = async (owner: Owner, name?: string) => read(await ask(owner, 'POST', '', form(name)));
const listed = async (owner: Owner) =>
  (JSON.parse((await ask(owner, 'GET', '')).body) as { count: number; items: CreatedApiKey[] }).items;
const statusOf = async (key: string, at = gateway) =>
  (await call(at.url, 'GET', '/api/payment-method', { headers: { 'x-api-key': key } })).status;
const eventsOf = (keyId: string) =>
  gateway.db
    .many<{ envelope: string }>(sql`select envelope from outbox where aggregate_id = ${keyId} order by id`)
    .then((rows) => rows.map(({ envelope }) => JSON.parse(envelope) as Envelope));
const replicasLook = () => Promise.all([gateway.keys.evictChanged(), other.keys.evictChanged()]);

describe('a key that an owner makes', () => {
  test('works, is shown once, and is listed by its name, its last four characters and its maker', async () => {
    const owner = await newOwner();
    expect(await listed(owner)).toEqual([]);
    const answer = await ask(owner, 'POST', '', form('Punto de venta'));
    expect(answer).toMatchObject({ status: 201, headers: { 'cache-control': 'no-store' } });
    const { key, ...shown } = read(answer);
    expect(key).toMatch(/^sk_test_/);
    expect(await statusOf(key)).toBe(200);
    const all = await listed(owner);
    expect(all).toEqual([shown]);
    expect(all[0]).toMatchObject({
      name: 'Punto de venta',
      lastFour: key.slice(-4),
      status: 'ACTIVE',
      createdBy: owner.personId,
      lastUsedAt: null,
      endsAt: null,
    });
    const rows = await gateway.db.many<{ row: string }>(sql`select k::text as row from api_keys k`);
    const events = await gateway.db.many<{ row: string }>(sql`select envelope::text as row from outbox`);
    for (const { row } of [...rows, ...events]) expect(row).not.toContain(key.slice(8, -4));
    expect(JSON.stringify(gateway.logged)).not.toContain(key.slice(8, -4));
  });

  test('of a sales partner is the partner’s', async () => {
    const rows = await gateway.db.many<{ id: string }>(sql`select id from partners limit 1`);
    const owner = ownerOf({ kind: 'partner', partnerId: rows[0]?.id ?? '' });
    const { key, id } = await made(owner);
    expect(key).toMatch(/^pk_/);
    const asked = await call(gateway.partnerUrl, 'GET', '/api/developer/payment', { headers: { 'x-api-key': key } });
    expect(asked.status).toBe(200);
    expect(await eventsOf(id)).toMatchObject([
      { type: 'KeyCreated', organizationid: rows[0]?.id, data: { organizationId: null, partnerId: rows[0]?.id } },
    ]);
  });

  test('is one and the same for two clicks at once, at two replicas', async () => {
    const owner = await newOwner();
    const sent = form();
    const answers = await Promise.all([
      ask(owner, 'POST', '', sent),
      ask(owner, 'POST', '', sent, other),
      ask(owner, 'POST', '', sent),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => read(answer).key)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(2);
    const [only, ...more] = await listed(owner);
    expect(more).toEqual([]);
    expect((await eventsOf(only?.id ?? '')).map(({ type }) => type)).toEqual(['KeyCreated']);
  });

  test('is not shown to a form that is sent again later, by somebody else, or for another key', async () => {
    const owner = await newOwner();
    const sent = form();
    const { id } = read(await ask(owner, 'POST', '', sent));
    const somebody = { ...owner, personId: newId() };
    for (const [who, body] of [
      [owner, { ...sent, name: 'Otra' }],
      [somebody, sent],
    ] as const) {
      expect(await ask(who, 'POST', '', body)).toMatchObject({ status: 409, code: 'EXTERNAL_ID_MISMATCH' });
    }
    await gateway.db.run(sql`update api_keys set created_at = now() - interval '3 minutes' where id = ${id}`);
    expect(await ask(owner, 'POST', '', sent)).toMatchObject({ status: 409, code: 'API_KEY_SHOWN_BEFORE' });
    expect(await listed(owner)).toHaveLength(1);
  });

  test.each<[string, object]>([
    ['name', { externalId: newId() }],
    ['name', form('')],
    ['name', form('x'.repeat(101))],
    ['name', form('4242 4242 4242 4242')],
    ['externalId', { name: 'Tienda' }],
    ['externalId', form('Tienda', '')],
    ['kind', { ...form(), kind: 'partner' }],
  ])('is refused by the field %s: %j', async (path, body) => {
    const owner = await newOwner();
    const answer = await ask(owner, 'POST', '', body);
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(answer.body).toContain(path);
    expect(await listed(owner)).toEqual([]);
  });

  test('of an organization that is none is refused', async () => {
    const owner = ownerOf({ kind: 'organization', organizationId: newId() });
    expect(await ask(owner, 'POST', '', form())).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  test('is one of 20 that all people of a merchant make in an hour, at all replicas together', async () => {
    const owner = await newOwner();
    const { id } = await made(owner);
    const makes = Array.from({ length: 21 }, (_, i) => {
      const at = i % 2 === 0 ? gateway : other;
      const by = { ...owner, personId: newId() };
      const roll = { oldKeyLivesForSeconds: 60, externalId: newId() };
      return i === 20 ? ask(by, 'POST', `/${id}/roll`, roll, at) : ask(by, 'POST', '', form(), at);
    });
    const answers = await Promise.all(makes);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(19);
    const refused = answers.filter(({ code }) => code === 'RATE_LIMIT_EXCEEDED');
    expect(refused).toHaveLength(2);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(3_000);
    expect((await ask(owner, 'POST', `/${id}/revoke`)).status).toBe(200);
    expect((await ask(await newOwner(), 'POST', '', form())).status).toBe(201);
  });
});

describe('a key that is revoked', () => {
  test('ends at every replica as soon as it has looked, and says so once', async () => {
    const owner = await newOwner();
    const { id, key } = await made(owner);
    expect([await statusOf(key), await statusOf(key, other)]).toEqual([200, 200]);
    const answers = await Promise.all([1, 2].map(() => ask(owner, 'POST', `/${id}/revoke`)));
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
    await replicasLook();
    expect([await statusOf(key), await statusOf(key, other)]).toEqual([401, 401]);
    const [shown] = await listed(owner);
    expect(shown).toMatchObject({ id, status: 'REVOKED', endsAt: expect.any(String) });
    expect(await eventsOf(id)).toMatchObject([
      { type: 'KeyCreated', sequence: '1', data: { personId: owner.personId, lastFour: key.slice(-4) } },
      { type: 'KeyRevoked', sequence: '2', data: { personId: owner.personId, endsAt: shown?.endsAt } },
    ]);
  });

  test('may be the last one, or one that an operator made; an operator’s end has no person', async () => {
    const { organizationId } = gateway;
    const owner = ownerOf({ kind: 'organization', organizationId });
    const [operators] = await listed(owner);
    expect(operators).toMatchObject({ name: null, createdBy: null, status: 'ACTIVE' });
    const { id } = await made(owner);
    await revokeKey(gateway.db, id);
    expect(await eventsOf(id)).toMatchObject([{}, { type: 'KeyRevoked', data: { personId: null } }]);
    expect((await ask(owner, 'POST', `/${operators?.id}/revoke`)).status).toBe(200);
    await replicasLook();
    expect(await statusOf(gateway.apiKey)).toBe(401);
  });

  test('by deleting it is not listed any more; deleting again answers the same', async () => {
    const owner = await newOwner();
    const { id, key } = await made(owner);
    for (let i = 0; i < 2; i++) {
      expect(await ask(owner, 'DELETE', `/${id}`)).toMatchObject({ status: 200, body: '{"success":true}' });
    }
    await replicasLook();
    expect(await statusOf(key)).toBe(401);
    expect(await listed(owner)).toEqual([]);
    expect(await ask(owner, 'POST', `/${id}/revoke`)).toMatchObject({ status: 404, code: 'API_KEY_NOT_FOUND' });
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['KeyCreated', 'KeyRevoked']);
  });
});

describe('a key that is rolled', () => {
  const roll = (owner: Owner, id: string, oldKeyLivesForSeconds: number, externalId = newId(), at = gateway) =>
    ask(owner, 'POST', `/${id}/roll`, { oldKeyLivesForSeconds, externalId }, at);

  test('at once is replaced at once', async () => {
    const owner = await newOwner();
    const old = await made(owner, 'Caja');
    await statusOf(old.key);
    const answer = await roll(owner, old.id, 0);
    expect(answer.status).toBe(201);
    await replicasLook();
    expect([await statusOf(old.key), await statusOf(read(answer).key)]).toEqual([401, 200]);
    expect((await listed(owner)).map(({ name, status }) => [name, status])).toEqual([
      ['Caja', 'ACTIVE'],
      ['Caja', 'REVOKED'],
    ]);
  });

  test('with overlap works beside the new one until its time, also where the database is away by then', async () => {
    const owner = await newOwner();
    const old = await made(owner);
    const made2 = read(await roll(owner, old.id, 600));
    await replicasLook();
    expect([await statusOf(old.key), await statusOf(made2.key)]).toEqual([200, 200]);
    expect((await listed(owner)).at(-1)).toMatchObject({ status: 'ENDING', endsAt: expect.any(String) });
    expect((await eventsOf(old.id)).at(-1)).toMatchObject({ type: 'KeyRevoked', data: { personId: owner.personId } });
    // Nothing is looked up any more: what is remembered has to end by itself.
    gateway.later(601_000);
    expect([await statusOf(old.key), await statusOf(made2.key)]).toEqual([401, 200]);
    gateway.later(-601_000);
  });

  test('by two clicks at once is rolled once, and both show the same key', async () => {
    const owner = await newOwner();
    const old = await made(owner);
    const externalId = newId();
    const answers = await Promise.all([
      roll(owner, old.id, 60, externalId),
      roll(owner, old.id, 60, externalId, other),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(answers.map((answer) => read(answer).key)).size).toBe(1);
    expect(await listed(owner)).toHaveLength(2);
  });

  test('by two people at once is rolled once: the other is refused, and makes nothing', async () => {
    const owner = await newOwner();
    const old = await made(owner);
    const answers = await Promise.all([roll(owner, old.id, 60), roll(owner, old.id, 0, newId(), other)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.code).toBe('API_KEY_NOT_ACTIVE');
    expect(await listed(owner)).toHaveLength(2);
  });

  test('while it is revoked ends in any order: the old one is refused', async () => {
    const owner = await newOwner();
    for (let i = 0; i < 4; i++) {
      const old = await made(owner);
      const [rolled, revoked] = await Promise.all([
        roll(owner, old.id, 600),
        ask(owner, 'POST', `/${old.id}/revoke`, undefined, other),
      ]);
      expect(revoked.status).toBe(200);
      expect([201, 409]).toContain(rolled.status);
      await replicasLook();
      expect(await statusOf(old.key)).toBe(401);
    }
  });

  test('after it was revoked, deleted or rolled is refused', async () => {
    const owner = await newOwner();
    const [revoked, deleted, rolled] = [await made(owner), await made(owner), await made(owner)];
    await ask(owner, 'POST', `/${revoked.id}/revoke`);
    await ask(owner, 'DELETE', `/${deleted.id}`);
    await roll(owner, rolled.id, 60);
    for (const { id } of [revoked, deleted, rolled]) {
      expect(await roll(owner, id, 60)).toMatchObject({ status: 409, code: 'API_KEY_NOT_ACTIVE' });
    }
  });

  test.each([-1, 604_801, 1.5, '60', null])('for %j seconds is refused, and stays', async (seconds) => {
    const owner = await newOwner();
    const { id, key } = await made(owner);
    const answer = await ask(owner, 'POST', `/${id}/roll`, { oldKeyLivesForSeconds: seconds, externalId: newId() });
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(answer.body).toContain('oldKeyLivesForSeconds');
    await replicasLook();
    expect(await statusOf(key)).toBe(200);
    expect(await listed(owner)).toHaveLength(1);
  });
});

test('a key of another merchant, of a terminal or of nobody is not found, and stays as it is', async () => {
  const [owner, stranger] = [await newOwner(), await newOwner()];
  const { id, key } = await made(owner);
  const asPartner = ownerOf({ kind: 'partner', partnerId: owner.scope.organizationId });
  const body = { oldKeyLivesForSeconds: 0, externalId: newId() };
  for (const by of [stranger, asPartner]) {
    for (const one of [id, newId()]) {
      for (const [method, path, sent] of [
        ['POST', `/${one}/revoke`, undefined],
        ['POST', `/${one}/roll`, body],
        ['DELETE', `/${one}`, undefined],
      ] as const) {
        expect(await ask(by, method, path, sent)).toMatchObject({ status: 404, code: 'API_KEY_NOT_FOUND' });
      }
    }
    expect(await listed(by)).toEqual([]);
  }
  await replicasLook();
  expect(await statusOf(key)).toBe(200);
});

test('a page of keys is what was asked for', async () => {
  const owner = await newOwner();
  for (const name of ['1', '2', '3']) await made(owner, name);
  const page = JSON.parse((await ask(owner, 'GET', '?page=2&pageSize=2')).body) as { items: { name: string }[] };
  expect(page).toMatchObject({ count: 3, page: 2, pageSize: 2, items: [{ name: '1' }] });
  expect(await ask(owner, 'GET', '?pageSize=0')).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
});

describe('the last use of a key', () => {
  const used = async (id: string) =>
    (await gateway.db.one<{ at: Date | null }>(sql`select last_used_at as at from api_keys where id = ${id}`)).at;

  test('is written once a minute at most, comes in the end, and makes nobody forget the key', async () => {
    const owner = await newOwner();
    const { id, key } = await made(owner);
    await gateway.keys.evictChanged();
    const changedIn = async () =>
      (await gateway.db.one<{ n: string }>(sql`select changed_in::text as n from api_keys where id = ${id}`)).n;
    const before = await changedIn();
    const write = () => writeKeyUses({ db: gateway.db, keyUses: gateway.keyUses });
    await statusOf(key);
    await write();
    const first = await used(id);
    expect((await listed(owner))[0]?.lastUsedAt).toBe(first?.toISOString());
    gateway.later(30_000);
    await statusOf(key);
    await write();
    expect(await used(id)).toEqual(first);
    gateway.later(31_000);
    await write();
    expect(Number(await used(id)) - Number(first)).toBeGreaterThanOrEqual(30_000);
    expect(await changedIn()).toBe(before);
    gateway.later(-61_000);
  });

  test('does not go back where another replica has a newer one', async () => {
    const owner = await newOwner();
    const { id, key } = await made(owner);
    await statusOf(key);
    const newer = new Date(Date.now() + 3_600_000);
    await gateway.db.run(sql`update api_keys set last_used_at = ${newer} where id = ${id}`);
    await writeKeyUses({ db: gateway.db, keyUses: gateway.keyUses });
    expect(await used(id)).toEqual(newer);
  });
});

test('the log line of a request names the person', async () => {
  const owner = await newOwner();
  await ask(owner, 'GET', '');
  const lines = () => gateway.logged.filter((line) => 'personId' in line && line.personId === owner.personId);
  await until('the line is written', () => lines().length > 0);
  expect(lines()).toMatchObject([{ route: '/api/api-key', status: 200, keyId: undefined }]);
});

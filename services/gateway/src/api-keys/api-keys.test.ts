import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import '@cobro/testing/check-answers.ts';
import { PATIENT_MS } from '@cobro/testing/redis-replicas.ts';
import { until } from '@cobro/testing/until.ts';
import { testDatabase } from '@cobro/testing/test-database.ts';
import { testRedis } from '@cobro/testing/test-redis.ts';
import { describe, expect, test } from '@jest/globals';
import { call } from '../door/test-client.ts';
import { revokeKey } from '../registry/revoke-key.ts';
import { form, ownerOf, read, replicasOfGateway } from './test-replicas.ts';

const { ask, eventsOf, gateway, listed, made, newOwner, other, replicasLook, statusOf } = replicasOfGateway({
  database: () => testDatabase('gateway'),
  redis: () => ({ ...testRedis(), patienceMs: PATIENT_MS }),
});

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
    const rows = await gateway().db.many<{ row: string }>(sql`select k::text as row from api_keys k`);
    const events = await gateway().db.many<{ row: string }>(sql`select envelope::text as row from outbox`);
    for (const { row } of [...rows, ...events]) expect(row).not.toContain(key.slice(8, -4));
    expect(JSON.stringify(gateway().logged)).not.toContain(key.slice(8, -4));
  });

  test('of a sales partner is the partner’s', async () => {
    const rows = await gateway().db.many<{ id: string }>(sql`select id from partners limit 1`);
    const owner = ownerOf({ kind: 'partner', partnerId: rows[0]?.id ?? '' });
    const { key, id } = await made(owner);
    expect(key).toMatch(/^pk_/);
    const asked = await call(gateway().partnerUrl, 'GET', '/api/developer/payment', { headers: { 'x-api-key': key } });
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
      ask(owner, 'POST', '', sent, other()),
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
    await gateway().db.run(sql`update api_keys set created_at = now() - interval '3 minutes' where id = ${id}`);
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
      const at = i % 2 === 0 ? gateway() : other();
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
    expect([await statusOf(key), await statusOf(key, other())]).toEqual([200, 200]);
    const answers = await Promise.all([1, 2].map(() => ask(owner, 'POST', `/${id}/revoke`)));
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
    await replicasLook();
    expect([await statusOf(key), await statusOf(key, other())]).toEqual([401, 401]);
    const [shown] = await listed(owner);
    expect(shown).toMatchObject({ id, status: 'REVOKED', endsAt: expect.any(String) });
    expect(await eventsOf(id)).toMatchObject([
      { type: 'KeyCreated', sequence: '1', data: { personId: owner.personId, lastFour: key.slice(-4) } },
      { type: 'KeyRevoked', sequence: '2', data: { personId: owner.personId, endsAt: shown?.endsAt } },
    ]);
  });

  test('may be the last one, or one that an operator made; an operator’s end has no person', async () => {
    const { organizationId } = gateway();
    const owner = ownerOf({ kind: 'organization', organizationId });
    const [operators] = await listed(owner);
    expect(operators).toMatchObject({ name: null, createdBy: null, status: 'ACTIVE' });
    const { id } = await made(owner);
    await revokeKey(gateway().db, id);
    expect(await eventsOf(id)).toMatchObject([{}, { type: 'KeyRevoked', data: { personId: null } }]);
    expect((await ask(owner, 'POST', `/${operators?.id}/revoke`)).status).toBe(200);
    await replicasLook();
    expect(await statusOf(gateway().apiKey)).toBe(401);
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

test('the log line of a request names the person', async () => {
  const owner = await newOwner();
  await ask(owner, 'GET', '');
  const lines = () => gateway().logged.filter((line) => 'personId' in line && line.personId === owner.personId);
  await until('the line is written', () => lines().length > 0);
  expect(lines()).toMatchObject([{ route: '/api/api-key', status: 200, keyId: undefined }]);
});

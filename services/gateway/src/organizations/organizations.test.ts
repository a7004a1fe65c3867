import type { CallerOf } from '@cobro/contracts/caller.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { type OrganizationProfile, organizationProfile } from '@cobro/contracts/organizations.ts';
import { sql } from '@cobro/postgres/database.ts';
import { TOKEN_HEADER } from '@cobro/service-kit/internal-token.ts';
import '@cobro/testing/check-answers.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { testRedis } from '@cobro/testing/test-redis.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { call } from '../door/test-client.ts';
import { startTestGateway, type TestGateway } from '../door/test-gateway.ts';

let database: TestDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  database = await testDatabase('gateway');
  gateway = await startTestGateway(database.url, { redis: testRedis() });
});
afterAll(async () => {
  await gateway.close();
  await database.drop();
});
beforeEach(() => void (gateway.handedOver.length = 0));

async function send(method: string, body?: object, { key = gateway.apiKey, path = '/api/organization' } = {}) {
  const answer = await call(gateway.url, method, path, {
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { ...answer, json: JSON.parse(answer.body) as OrganizationProfile };
}
const read = async () => organizationProfile.parse((await send('GET')).json);
const published = async () =>
  (await gateway.db.many(sql`select 1 from outbox where type = 'OrganizationChanged'`)).length;

describe('the profile of a merchant', () => {
  test('shows name, business and sales partner; what is sent changes, and null and what is not sent change nothing', async () => {
    const before = await read();
    expect(before).toEqual({
      id: gateway.organizationId,
      name: 'Café Tacuba',
      business: { websiteURL: null, supportEmail: null, supportPhoneNumber: null },
      partner: { id: expect.any(String), name: 'Ventas del Norte' },
      createdAt: before.updatedAt,
      updatedAt: expect.any(String),
    });
    const business = { websiteURL: 'https://tacuba.example', supportEmail: 'hola@tacuba.example' };
    const changed = await send('PATCH', { business });
    expect(changed).toMatchObject({ status: 200, json: { name: 'Café Tacuba', business } });
    expect(changed.json.updatedAt > before.updatedAt).toBe(true);
    const again = await send('PATCH', { name: 'Café de Tacuba', business: { websiteURL: null } });
    expect(again.json).toMatchObject({ name: 'Café de Tacuba', business });
    expect(await read()).toEqual(again.json);
    for (const nothing of [{}, { business: {} }, { name: null, business: null }, { business }]) {
      const count = await published();
      expect((await send('PATCH', nothing)).json).toEqual(again.json);
      expect(await published()).toBe(count);
    }
  });

  test('is handed over to payments before the answer, and published in the same commit', async () => {
    const count = await published();
    await send('PATCH', { name: 'Café de Siempre' });
    expect(gateway.handedOver).toMatchObject([
      {
        type: 'OrganizationChanged',
        subject: gateway.organizationId,
        data: { name: 'Café de Siempre' },
      },
    ]);
    expect(await published()).toBe(count + 1);
  });

  test('loses nothing of changes at once', async () => {
    const changes = [
      { name: 'Café Uno' },
      { business: { supportEmail: 'uno@tacuba.example' } },
      { business: { supportPhoneNumber: '55 0000 0001' } },
    ];
    await Promise.all(changes.map((change) => send('PATCH', change)));
    expect(await read()).toMatchObject({
      name: 'Café Uno',
      business: { supportEmail: 'uno@tacuba.example', supportPhoneNumber: '55 0000 0001' },
    });
    const sequences = gateway.handedOver.map(({ sequence }) => Number(sequence)).toSorted((a, b) => a - b);
    expect(new Set(sequences).size).toBe(3);
  });

  test.each([
    [{ name: '' }, 'name: must not be empty'],
    [{ name: 'x'.repeat(256) }, 'name: must have at most 255 characters'],
    [{ business: { websiteURL: 'ftp://x' } }, 'business.websiteURL: must be an http or https URL'],
    [{ business: { supportEmail: 'nobody' } }, 'business.supportEmail: must be an email address'],
    [{ business: { supportPhoneNumber: '5'.repeat(51) } }, 'business.supportPhoneNumber: must have at most 50'],
    [{ business: { supportPhoneNumber: '4242424242424242' } }, 'business.supportPhoneNumber: must not contain a card'],
    [{ color: '#ffffff' }, 'color'],
    [{ partner: null }, 'partner'],
  ])('refuses %j and changes nothing', async (body, message) => {
    const before = await read();
    const answer = await send('PATCH', body);
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(answer.body).toContain(message);
    expect(await read()).toEqual(before);
  });

  test('is read on /developer/v1 within the key’s budget, with its headers', async () => {
    const { status, json, headers } = await send('GET', undefined, { path: '/api/developer/v1/organization' });
    expect({ status, json }).toEqual({ status: 200, json: await read() });
    expect(headers['x-ratelimit-limit']).toBe('120');
    expect((await send('GET')).headers['x-ratelimit-limit']).toBeUndefined();
  });

  test('is shown to keys of merchants alone, each its own', async () => {
    expect((await send('GET', undefined, { key: gateway.otherApiKey })).json.name).toBe('Librería Coyoacán');
    expect((await send('GET', undefined, { key: 'sk_test_nothing' })).status).toBe(401);
    expect((await send('GET', undefined, { key: gateway.partnerApiKey })).status).toBe(403);
    expect((await send('DELETE')).status).toBe(405);
  });

  test('is changed by an owner, and read by anybody of the organization', async () => {
    const as = async (role: CallerOf<'person'>['role'], method: string, organizationId = gateway.organizationId) => {
      const scope = { kind: 'organization', organizationId } as const;
      const person = { kind: 'person', personId: newId(), scope, role, provedAt: new Date().toISOString() } as const;
      const token = await gateway.signAsDashboard(person, 'gateway');
      const body = method === 'PATCH' ? { body: JSON.stringify({ name: `By ${role}` }) } : {};
      const headers = { [TOKEN_HEADER]: token, 'content-type': 'application/json' };
      return call(gateway.peopleUrl, method, '/api/organization', { headers, ...body });
    };
    expect((await as('read-only', 'GET')).status).toBe(200);
    expect((await as('operator', 'PATCH')).status).toBe(403);
    expect((await as('owner', 'PATCH')).status).toBe(200);
    expect(await read()).toMatchObject({ name: 'By owner' });
    expect((await as('owner', 'GET', newId())).status).toBe(404);
  });
});

import '@cobro/testing/check-answers.ts';
import { randomBytes } from 'node:crypto';
import { newId } from '@cobro/contracts/ids.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { sql } from '@cobro/postgres/database.ts';
import { unseal } from '@cobro/service-kit/seal.ts';
import { merchant } from '@cobro/testing/test-facts.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deliverToEndpoints } from '../deliveries/deliver-to-endpoints.job.ts';
import { openSender } from '../deliveries/sender.ts';
import { testReceiver } from '@cobro/testing/test-receiver.ts';
import { startWebhooks } from '../webhooks-under-test.ts';
import { resealSecrets } from './reseal-secrets.job.ts';

let webhooks: Awaited<ReturnType<typeof startWebhooks>>;
beforeAll(async () => {
  webhooks = await startWebhooks();
});
afterAll(() => webhooks?.close());

const sendAs = (organizationId: string) => (method: string, path: string, body?: object) =>
  webhooks.send(merchant(organizationId), method, `/webhook-endpoint${path}`, body);
const asked = { url: 'https://93.184.215.14/webhooks', types: ['payment.*', 'hold.captured'] };

describe('POST /webhook-endpoint', () => {
  test('shows the secret, and no other answer does', async () => {
    const send = sendAs(newId());
    const { status, body } = await send('POST', '', { ...asked, description: 'shop' });
    expect(status).toBe(201);
    expect(body.secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const shown = { ...body };
    delete shown.secret;
    expect(shown).toMatchObject({ ...asked, description: 'shop', status: 'ENABLED', failingSince: null });
    expect((await send('GET', `/${body.id}`)).body).toEqual(shown);
    expect((await send('GET', '')).body).toEqual({ count: 1, page: 1, pageSize: 100, items: [shown] });
  });

  test.each([
    ['url', { ...asked, url: 'https://10.0.0.1/' }],
    ['url', { ...asked, url: 'https://[fd00::1]/' }],
    ['url', { ...asked, url: 'ftp://93.184.215.14/' }],
    ['url', { ...asked, url: 'shop.example.com' }],
    ['url', { types: asked.types }],
    ['types', { ...asked, types: [] }],
    ['types', { ...asked, types: ['payment.paid'] }],
    ['secret', { ...asked, secret: 'mine' }],
  ])('refuses %s of %j', async (field, body) => {
    const answer = await sendAs(newId())('POST', '', body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } });
  });

  test('takes http with test keys', async () => {
    expect(await sendAs(newId())('POST', '', { ...asked, url: 'http://127.0.0.1:9/' })).toMatchObject({ status: 201 });
  });

  test('makes one of a form of the dashboard that is sent twice at once, and more where programs ask', async () => {
    const organizationId = newId();
    const caller = { kind: 'merchant', by: { kind: 'person', id: newId() }, organizationId } as const;
    const post = (body: object) => webhooks.send(caller, 'POST', '/webhook-endpoint', body);
    const twice = await Promise.all([post(asked), post(asked)]);
    expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect((await post(asked)).body.code).toBe('WEBHOOK_ENDPOINT_MADE_BEFORE');
    expect((await post({ ...asked, types: ['hold.*'] })).status).toBe(201);
    expect((await sendAs(organizationId)('POST', '', asked)).status).toBe(201);
    await webhooks.deps.db.run(sql`
      update webhook_endpoint set created_at = created_at - interval '61 s' where organization_id = ${organizationId}`);
    expect((await post(asked)).status).toBe(201);
  });

  test('makes 20 of a merchant at most, also at once', async () => {
    const send = sendAs(newId());
    const answers = await Promise.all(Array.from({ length: 23 }, () => send('POST', '', asked)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.find(({ status }) => status !== 201)?.body.code).toBe('TOO_MANY_WEBHOOK_ENDPOINTS');
  });
});

describe('an endpoint', () => {
  test('is changed and deleted by its merchant alone', async () => {
    const [send, stranger] = [sendAs(newId()), sendAs(newId())];
    const { id } = (await send('POST', '', asked)).body;
    const changed = await send('PATCH', `/${id}`, { types: ['hold.*'], description: 'tills', status: 'DISABLED' });
    expect(changed).toMatchObject({
      status: 200,
      body: { types: ['hold.*'], description: 'tills', status: 'DISABLED' },
    });
    expect((await send('PATCH', `/${id}`, { description: null })).body.description).toBeNull();
    expect((await send('PATCH', `/${id}`, { url: 'https://192.168.0.1/' })).status).toBe(400);
    for (const [method, path, body] of [
      ['GET', `/${id}`],
      ['PATCH', `/${id}`, {}],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/secret`, {}],
      ['GET', `/${id}/delivery`],
      ['POST', `/${id}/delivery/${newId()}/resend`],
      ['POST', `/${id}/replay`, { since: '2026-11-20T18:00:00Z' }],
      ['POST', `/${id}/test`, { type: 'hold.placed' }],
    ] as const) {
      const refused = await stranger(method, path, body);
      expect({ method, path, status: refused.status, code: refused.body.code }).toEqual({
        method,
        path,
        status: 404,
        code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
      });
    }
    expect((await send('DELETE', `/${id}`)).body).toEqual({ success: true });
    expect((await send('GET', `/${id}`)).status).toBe(404);
  });

  test('has its secret sealed at rest, by the newest key after an hour at most', async () => {
    const send = sendAs(newId());
    const { id, secret } = (await send('POST', '', asked)).body;
    const sealed = async () =>
      (
        await webhooks.deps.db.one<{ was: Buffer }>(
          sql`select sealed_secret as was from webhook_endpoint where id = ${id}`,
        )
      ).was;
    const [old] = webhooks.deps.secretKeys;
    expect((await sealed()).includes(Buffer.from(secret))).toBe(false);
    expect(unseal([old], id, await sealed()).reveal()).toBe(secret);
    const anew = new Secret(randomBytes(32));
    await resealSecrets({ ...webhooks.deps, secretKeys: [anew, old] });
    expect(unseal([anew], id, await sealed()).reveal()).toBe(secret);
    await resealSecrets({ ...webhooks.deps, secretKeys: [old, anew] });
  });

  test('gets a new secret; the old one signs as long as it was asked to', async () => {
    const send = sendAs(newId());
    const { id, secret } = (await send('POST', '', asked)).body;
    const turned = await send('POST', `/${id}/secret`, { oldLivesForSeconds: 60 });
    expect(turned).toMatchObject({ status: 200, body: { secret: expect.stringMatching(/^whsec_/) } });
    expect(turned.body.secret).not.toBe(secret);
    expect((await send('POST', `/${id}/secret`, { oldLivesForSeconds: 86_401 })).status).toBe(400);
    const again = () => send('POST', `/${id}/secret`, { oldLivesForSeconds: 60 });
    expect(await again()).toMatchObject({ status: 409, body: { code: 'WEBHOOK_SECRET_TURNING' } });
    const { db, secretKeys } = webhooks.deps;
    const kept = await db.one<{ now: Buffer; old: Buffer }>(
      sql`select sealed_secret as now, sealed_old_secret as old from webhook_endpoint where id = ${id}`,
    );
    const signing = [kept.now, kept.old].map((one) => unseal(secretKeys, id, one).reveal());
    expect(signing).toEqual([turned.body.secret, secret]);
    await db.run(sql`update webhook_endpoint set old_secret_until = now() where id = ${id}`);
    expect((await again()).status).toBe(200);
    expect((await send('POST', `/${id}/secret`)).status).toBe(200);
    expect((await again()).status).toBe(200);
  });
});

test('an endpoint is one process’s while its session lasts, and is not forgotten', async () => {
  const receiver = await testReceiver();
  const other = openSender({ url: webhooks.url, log: webhooks.deps.log });
  const job = deliverToEndpoints(webhooks.deps);
  try {
    const sendersOf = () => [webhooks.deps.sender, other].map((sender) => sender.current()?.is);
    await until('both have a number', () => sendersOf().every((number) => number !== undefined));
    const send = sendAs(newId());
    const made = async () => (await send('POST', '', { url: receiver.url, types: ['payment.*'] })).body.id as string;
    const [ours, theirs] = [await made(), await made()];
    // An endpoint whose lease this process failed to end, and one at which another process works.
    for (const [i, id] of [ours, theirs].entries()) {
      await webhooks.deps.db.run(sql`update webhook_endpoint set leased_by = ${sendersOf()[i]} where id = ${id}`);
      await send('POST', `/${id}/test`, { type: 'payment.confirmed' });
    }
    const isDelivered = async (id: string) =>
      (await send('GET', `/${id}/delivery?status=DELIVERED`)).body.data.length === 1;
    await until('ours is delivered', () => isDelivered(ours));
    expect(receiver.received).toHaveLength(1);
    await other.close();
    await until('the other one is delivered', () => isDelivered(theirs));
  } finally {
    await Promise.all([job.stop(), other.close()]);
    await receiver.close();
  }
});

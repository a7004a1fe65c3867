import { sql } from '@cobro/postgres/database.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { testReceiver } from '@cobro/testing/test-receiver.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signInAs } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** Webhooks and events in the dashboard, without a script. Keys: first-minutes.story.ts. */
export function developers(tested: StackUnderTest): void {
  const { db } = tested;
  let receiver: Awaited<ReturnType<typeof testReceiver>>;
  let owner: TestBrowser;
  let reader: TestBrowser;
  let path = '';

  beforeAll(async () => {
    receiver = await testReceiver();
    [owner, reader] = [await signInAs(tested, 'owner'), await signInAs(tested, 'read-only')];
  });
  afterAll(() => receiver.close());

  const act = async (action: string, fields: Record<string, string> = {}) => {
    await owner.get(`${path}/${action}`);
    return owner.post(`${path}/${action}`, fields);
  };

  test('a webhook is added, and its secret shown once', async () => {
    await owner.get('/developers/webhooks/new');
    const wrong = await owner.post('/developers/webhooks', { url: 'nowhere', types: 'payment.*' });
    expect(wrong).toMatchObject({ status: 400, html: expect.stringContaining('VALIDATION_ERROR') });
    const made = await owner.post('/developers/webhooks', { url: receiver.url, types: 'payment.*' });
    expect(made).toMatchObject({ status: 200, html: expect.stringMatching(/whsec_[\w+/=]+/) });
    path = /href="(\/developers\/webhooks\/[\da-f-]{36})"/.exec(made.html)?.[1] ?? '';
    const shown = await owner.get(path);
    expect(shown.html).toContain(receiver.url);
    expect(shown.html).not.toContain('whsec_');
  });

  test('a test reaches it, its delivery says what was answered, and is sent again', async () => {
    expect((await act('test', { type: 'payment.confirmed' })).location).toBe(`${path}?done=test`);
    let html = '';
    await until('the delivery is shown', async () => {
      ({ html } = await owner.get(path));
      return html.includes('Entregado');
    });
    const resend = /action="([^"]+\/resend)"/.exec(html)?.[1] ?? '';
    expect((await owner.post(resend)).location).toBe(`${path}?done=resend`);
    await until('it came again', () => receiver.received.length >= 2);
  });

  test('it is stopped and enabled, its secret replaced, events replayed', async () => {
    expect((await act('pause')).location).toBe(`${path}?done=pause`);
    expect((await owner.get(path)).html).toContain('Detenido');
    expect((await act('enable')).location).toBe(`${path}?done=enable`);
    const turned = await act('secret', { oldLivesForSeconds: '3600' });
    expect(turned).toMatchObject({ status: 200, html: expect.stringContaining('whsec_') });
    expect((await act('replay', { since: 'ayer' })).status).toBe(400);
    expect((await act('replay', { since: '2026-01-01T00:00' })).location).toMatch(/\?replayed=\d+$/);
  });

  test('its address and events are changed, and what is wrong changes nothing', async () => {
    const page = await owner.get(`${path}/change`);
    expect(page.html).toContain(`value="${receiver.url}`);
    expect((await owner.post(`${path}/change`, { url: 'https://10.0.0.1', types: 'payment.*' })).status).toBe(400);
    expect((await owner.post(`${path}/change`, { url: receiver.url })).status).toBe(400);
    const changes = { url: `${receiver.url}changed`, types: 'hold.*', description: 'Almacén' };
    expect((await owner.post(`${path}/change`, changes)).location).toBe(`${path}?done=change`);
    const { html } = await owner.get(path);
    for (const shown of [changes.url, 'hold.*', 'Almacén']) expect(html).toContain(shown);
    await reader.get(path);
    expect((await reader.post(`${path}/change`, changes)).status).toBe(403);
    // Only the organization's people see that an endpoint was paused because it failed for five days.
    expect((await owner.get('/')).html).not.toContain('en pausa');
    await db('webhooks').run(sql`update webhook_endpoint set status = 'PAUSED' where url = ${changes.url}`);
    for (const address of ['/', '/developers/webhooks', path]) {
      expect((await owner.get(address)).html).toContain('en pausa porque');
    }
    expect((await act('enable')).location).toBe(`${path}?done=enable`);
  });

  test('who only reads sees events and webhooks, and neither keys nor a form', async () => {
    expect((await reader.get('/developers')).location).toBe('/developers/events');
    const { html } = await reader.get(path);
    expect(html).toContain(receiver.url);
    expect(html).not.toContain(`action="${path}`);
    for (const page of ['/developers/keys', '/developers/keys/new', `${path}/delete`, '/developers/webhooks/new']) {
      expect({ page, status: (await reader.get(page)).status }).toEqual({ page, status: 403 });
    }
    const list = await reader.get('/developers/events');
    const event = /href="(\/developers\/events\/[\da-f-]{36})"/.exec(list.html)?.[1] ?? '';
    expect((await reader.get(event)).html).toContain('&quot;object&quot;');
    expect((await reader.get('/developers/events?objectId=4242424242424242')).html).not.toContain('4242424242424242');
  });

  test('keys and webhooks ask for a second factor of the last minutes, before the form is filled in', async () => {
    await db('dashboard').run(sql`update session set proved_at = now() - interval '16 minutes'`);
    for (const page of ['/developers/keys/new', `${path}/secret`]) {
      expect((await owner.get(page)).location).toBe(`/confirm?next=${encodeURIComponent(page)}`);
    }
    expect((await owner.post('/developers/keys', { name: 'x', externalId: 'x' })).location).toMatch(
      /^\/confirm\?next=/,
    );
    expect((await owner.post(`${path}/delete`)).location).toMatch(/^\/confirm\?next=/);
    expect((await owner.get('/developers/webhooks')).html).toContain(receiver.url);
    await db('dashboard').run(sql`update session set proved_at = now()`);
  });

  test('it is deleted with its log', async () => {
    expect((await act('delete')).location).toBe('/developers/webhooks?done=delete');
    expect((await owner.get(path)).status).toBe(404);
  });
}

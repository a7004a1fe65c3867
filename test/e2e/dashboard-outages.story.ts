import type { Payment } from '@cobro/contracts/payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { until } from '@cobro/testing/until.ts';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { ServiceName } from '../../services/definitions.ts';
import { signInAs, signInElsewhere } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';

const MISSING = 'No disponible por ahora';

/** While a part is away, people see the rest and what is missing. */
export function dashboardOutages(tested: StackUnderTest): void {
  const { stack, merchant, broker } = tested;
  let owner: TestBrowser;
  let held: Payment;
  beforeAll(async () => {
    owner = await signInAs(tested, 'owner');
    held = await hold();
    await until('reporting follows', async () => (await owner.get('/payments')).html.includes(held.id));
  });
  let stopped: ServiceName[] = [];
  afterEach(async () => {
    await Promise.all(stopped.map((name) => stack().processes.start(name)));
    stopped = [];
    await broker.start();
  });

  const hold = async (): Promise<Payment> => (await merchant().hold(await merchant().saveCard())).body;
  const stop = async (...names: ServiceName[]) => {
    stopped = names;
    await Promise.all(names.map((name) => stack().processes.stop(name)));
  };
  const seen = async (path: string): Promise<[status: number, isMissing: boolean]> => {
    const { status, html } = await owner.get(path);
    return [status, html.includes(MISSING)];
  };

  /** Copies a payment `count` times to another organization. */
  const copyPayments = async (organizationId: string, count: number) => {
    const reporting = tested.db('reporting');
    const columns = await reporting.many<{ name: string }>(sql`
      select column_name as name from information_schema.columns
      where table_schema = 'reporting' and table_name = 'payment' and is_generated = 'NEVER'`);
    const names = columns.map(({ name }) => name);
    const others: Record<string, string> = { id: 'gen_random_uuid()', organization_id: '$1' };
    await reporting.run({
      text: `insert into payment (${names.join(', ')}) select ${names.map((name) => others[name] ?? name).join(', ')}
        from payment cross join generate_series(1, $2) where id = $3`,
      values: [organizationId, count, held.id],
    });
  };

  test('without holds, intents and webhooks: payments are there, with what is known of a hold; who sold and terminals are not', async () => {
    await stop('holds', 'intents', 'webhooks');
    expect(await seen('/payments')).toEqual([200, true]);
    const page = await owner.get(`/payments/${held.id}`);
    expect(page).toMatchObject({ status: 200, html: expect.stringContaining('class="incomplete"') });
    expect(await seen('/links')).toEqual([200, false]);
    expect(await seen('/terminals')).toEqual([503, true]);
    expect((await owner.get('/news')).status).toBe(503);
    const capture = await owner.post(`/payments/${held.id}/capture`);
    expect(capture).toMatchObject({ status: 503, html: expect.stringContaining('No se hizo nada.') });
  });

  test('without payments and reporting: lists and figures say that they are missing', async () => {
    await stop('payments', 'reporting');
    for (const path of ['/payments', '/links', '/calculator?amount=100']) {
      expect([path, ...(await seen(path))]).toEqual([path, 503, true]);
    }
    for (const path of [`/payments/${held.id}`, `/links/${held.id}`]) expect((await owner.get(path)).status).toBe(503);
    expect(await seen('/terminals')).toEqual([200, false]);
  });

  test('without the gateway people are still known; a form that got no answer makes one link when it is sent again', async () => {
    const { formId } = await owner.get('/links/new');
    const form = { formId, amount: '10', description: 'Pan', terms: '1', days: '1' };
    await stop('gateway');
    for (const path of ['/payments', '/links', '/terminals']) {
      expect([path, ...(await seen(path))]).toEqual([path, 503, true]);
    }
    expect((await owner.get('/settings')).status).toBe(200);
    expect((await owner.get('/payments.csv')).status).toBe(503);
    const exported = await tested.db('dashboard').many<object>(sql`
      select outcome, status, code from audit where what = 'export.payments' order by id desc limit 2`);
    expect(exported).toEqual([
      { outcome: 'answered', status: 503, code: 'NO_ANSWER' },
      { outcome: 'asked', status: null, code: null },
    ]);
    const lost = await owner.post('/links/new', form);
    expect(lost).toMatchObject({ status: 502, html: expect.stringContaining(`name="formId" value="${formId}"`) });
    await stack().processes.start('gateway');
    stopped = [];
    expect((await owner.post('/links/new', form)).status).toBe(303);
  });

  test('an export whose gateway is killed in its middle says in its last line that it is not whole', async () => {
    const { browser, organizationId } = await signInElsewhere(tested);
    await copyPayments(organizationId, 6_000);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    let text = '';
    // Repeated if the whole export came before the gateway was dead.
    await until('an export breaks off', async () => {
      text = '';
      const { body } = await fetch(`${stack().dashboardUrl}/payments.csv`, { headers: { cookie } });
      const decoder = new TextDecoder();
      let killed: Promise<void> | undefined;
      const read = async () => {
        for await (const chunk of body ?? []) {
          text += decoder.decode(chunk, { stream: true });
          killed ??= stack().processes.kill('gateway');
        }
      };
      const isWhole = await read().then(
        () => true,
        () => false,
      );
      await killed;
      await stack().processes.ready('gateway');
      return !isWhole;
    });
    expect(text.trimEnd().split('\r\n').at(-1)).toMatch(/^INCOMPLETO: /);
    expect(text.split('\r\n').length).toBeLessThan(6_000);
    const answered = await tested.db('dashboard').one<object>(sql`
      select status, code from audit where what = 'export.payments' and outcome = 'answered' order by id desc limit 1`);
    expect(answered).toEqual({ status: 200, code: 'INCOMPLETE' });
    await tested.db('reporting').run(sql`delete from payment where organization_id = ${organizationId}`);
  });

  test('without RabbitMQ people capture, release and refund', async () => {
    const released = await hold();
    await broker.stop();
    await owner.get(`/payments/${held.id}/capture`);
    for (const [id, action] of [
      [held.id, 'capture'],
      [released.id, 'release'],
      [held.id, 'refund'],
    ]) {
      const done = await owner.post(`/payments/${id}/${action}`);
      expect([action, done.status, done.location]).toEqual([action, 303, `/payments/${id}?done=${action}`]);
    }
    await broker.start();
    await expect(tested.agreed()).resolves.toBeUndefined();
  });
}

import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { beforeAll, expect, test } from '@jest/globals';
import { signInAs } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** Subscriptions in the dashboard, without a script. */
export function dashboardSubscriptions(tested: StackUnderTest): void {
  const { merchant, db } = tested;
  let operator: TestBrowser;
  beforeAll(async () => {
    operator = await signInAs(tested, 'operator');
  });

  const newForm = async () => (await operator.get('/subscriptions/new')).formId;
  const record = async (id: string) => (await merchant().send<Subscription>('GET', `/subscription/${id}`)).body;

  test('a form that is sent twice makes one subscription, charged once, which is paused, resumed and cancelled', async () => {
    const paymentMethodId = await merchant().saveCard();
    const fields = {
      paymentMethodId,
      amount: '349',
      periodicity: 'MONTHLY',
      totalPeriods: '12',
      description: 'Pan <de> casa',
    };
    const sent = { ...fields, formId: await newForm() };
    const both = await Promise.all([1, 2].map(() => operator.post('/subscriptions/new', sent)));
    const ids = both.flatMap(({ location }) => /^\/subscriptions\/([\da-f-]{36})\?/.exec(location ?? '')?.[1] ?? []);
    expect(new Set(ids).size).toBe(1);
    const [id = ''] = ids;
    const charged = await db('payments').many<{ amount: bigint }>(sql`
      select amount from payment where subscription_id = ${id} and status = 'CONFIRMED'`);
    expect(charged).toEqual([{ amount: 34_900n }]);
    const changed = await operator.post('/subscriptions/new', { ...sent, amount: '1' });
    expect(changed).toMatchObject({
      status: 409,
      html: expect.stringContaining('ya creó una suscripción con otros datos'),
    });

    const page = await operator.get(`/subscriptions/${id}?done=created`);
    for (const shown of [
      'La suscripción está lista',
      'Periodo 1',
      'Cobrado',
      'Pan &lt;de&gt; casa',
      `subscriptionId=${id}`,
    ]) {
      expect(page.html).toContain(shown);
    }
    // A paid period is not charged again.
    const again = await operator.post(`/subscriptions/${id}/collect`, { number: '1' });
    expect(again).toMatchObject({ location: `/subscriptions/${id}?done=collect` });
    expect(await operator.post(`/subscriptions/${id}/collect`, { number: '2' })).toMatchObject({
      status: 409,
      html: expect.stringContaining('todavía no empieza'),
    });

    const twice = (action: string) => Promise.all([1, 2].map(() => operator.post(`/subscriptions/${id}/${action}`)));
    for (const action of ['pause', 'resume', 'cancel-at-end', 'resume', 'cancel']) {
      const locations = (await twice(action)).map(({ location }) => location);
      expect(locations).toEqual(Array(2).fill(`/subscriptions/${id}?done=${action}`));
    }
    expect(await record(id)).toMatchObject({ status: 'CANCELLED', endReason: 'MERCHANT', nextBillingAt: null });
    expect((await operator.get('/subscriptions?status=CANCELLED')).html).toContain(`href="/subscriptions/${id}"`);
    const over = await operator.post(`/subscriptions/${id}/pause`);
    expect(over).toMatchObject({ status: 409, html: expect.stringContaining('ya terminó') });
    const audit = await db('dashboard').many<{ what: string }>(sql`
      select what from audit where target = ${id} and outcome = 'asked' order by what`);
    expect(new Set(audit.map(({ what }) => what))).toEqual(
      new Set([
        'subscription.cancel',
        'subscription.cancel-at-end',
        'subscription.collect',
        'subscription.pause',
        'subscription.resume',
      ]),
    );
  });

  test('with something wrong the form says what, and makes none', async () => {
    const wrong = {
      amount: '0',
      paymentMethodId: '4242 4242 4242 4242',
      totalPeriods: '601',
      firstBillingDate: '2026-02-30',
    };
    const answer = await operator.post('/subscriptions/new', {
      ...wrong,
      periodicity: 'DAILY',
      formId: await newForm(),
    });
    expect(answer.status).toBe(400);
    for (const name of ['amount', 'paymentMethodId', 'totalPeriods', 'firstBillingDate']) {
      expect(answer.html).toContain(`id="${name}-error"`);
    }
    expect(answer.html).not.toContain('4242 4242');
  });
}

import type { ShownPromotion } from '@cobro/contracts/promotions.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { beforeAll, expect, test } from '@jest/globals';
import { signInAs, signInElsewhere } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** Promotions in the dashboard, of a merchant and of its sales partner, without a script. */
export function dashboardPromotions(tested: StackUnderTest): void {
  const { stack, merchant, db } = tested;
  let operator: TestBrowser;
  let sponsor: TestBrowser;
  beforeAll(async () => {
    const { partnerId } = await db('gateway').one<{ partnerId: string }>(sql`
      select partner_id as "partnerId" from organizations where id = ${stack().merchants.organizationId}`);
    operator = await signInAs(tested, 'operator');
    sponsor = await signInAs(tested, 'owner', ['--partner', partnerId]);
  });

  const newForm = async () => (await operator.get('/promotions/new')).formId;
  const record = async (id: string) => (await merchant().send<ShownPromotion>('GET', `/promotion/${id}`)).body;
  const fields = {
    name: 'Buen <Fin>',
    feeDiscount: '2.5 %',
    businessTake: '1.25',
    terms: '1',
    issuingBanks: 'BBVA, Banorte , BBVA',
    minimumAmount: '1,000.50',
    maxPayments: '1,000',
    startsAt: '2020-01-01T00:00',
    endsAt: '2099-12-31T23:59',
  };
  const create = async (over: Record<string, string> = {}) => {
    const made = await operator.post('/promotions/new', { ...fields, formId: await newForm(), ...over });
    const [, id = ''] = /^\/promotions\/([\da-f-]{36})\?done=created$/.exec(made.location ?? '') ?? [];
    expect(made.status).toBe(303);
    return id;
  };

  test('a form that is sent twice makes one promotion, which waits for the sponsor', async () => {
    const sent = { ...fields, formId: await newForm() };
    const both = await Promise.all([operator.post('/promotions/new', sent), operator.post('/promotions/new', sent)]);
    expect(new Set(both.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
    const [, id = ''] = /^\/promotions\/([\da-f-]{36})\?done=created$/.exec(both[0]?.location ?? '') ?? [];
    expect(await record(id)).toMatchObject({
      name: 'Buen <Fin>',
      status: 'PENDING',
      feeDiscount: 2.5,
      businessTake: 1.25,
      terms: [1],
      types: [],
      issuingBanks: ['BBVA', 'Banorte'],
      minimumAmount: 1000.5,
      maxPayments: 1000,
      startsAt: '2020-01-01T06:00:00.000Z',
      endsAt: '2100-01-01T05:59:00.000Z',
    });
    const changed = await operator.post('/promotions/new', { ...sent, name: 'Otra' });
    expect(changed).toMatchObject({ status: 409, html: expect.stringContaining('ya creó una promoción') });
    const page = await operator.get(`/promotions/${id}?done=created`);
    for (const shown of ['Buen &lt;Fin&gt;', 'Por aceptar', '0 pagos', 'de 1,000', '$25.01', '$4.00', '$12.51']) {
      expect(page.html).toContain(shown);
    }
    expect((await operator.get('/promotions?status=PENDING')).html).toContain(`href="/promotions/${id}"`);
    expect((await operator.get('/promotions?status=ACTIVE')).html).not.toContain(`href="/promotions/${id}"`);
  });

  test('with something wrong the form says what, and makes none', async () => {
    const wrong = { name: '4242 4242 4242 4242', feeDiscount: '20.01', businessTake: '-1', maxPayments: '1000001' };
    const times = { startsAt: '2099-01-01T00:00', endsAt: '2098-01-01T00:00', minimumAmount: '0' };
    const answer = await operator.post('/promotions/new', { ...fields, ...wrong, ...times, formId: await newForm() });
    expect(answer.status).toBe(400);
    for (const name of [...Object.keys(wrong), 'minimumAmount', 'endsAt']) {
      expect(answer.html).toContain(`id="${name}-error"`);
    }
    expect(answer.html).not.toContain('4242 4242');
    const nothing = { feeDiscount: '', businessTake: '0' };
    const neither = await operator.post('/promotions/new', { ...fields, ...nothing, formId: await newForm() });
    expect(neither).toMatchObject({ status: 400, html: expect.stringContaining('uno de los dos por lo menos') });
    const gone = { productIds: crypto.randomUUID(), formId: await newForm() };
    expect(await operator.post('/promotions/new', { ...fields, ...gone })).toMatchObject({
      status: 404,
      html: expect.stringContaining('Un producto ya no está'),
    });
  });

  test('its sponsor sees what it costs and accepts; a payment carries it and is counted; the merchant ends it', async () => {
    const id = await create({ minimumAmount: '100', issuingBanks: '' });
    const shown = await sponsor.get(`/partner/promotions/${id}`);
    for (const text of ['Buen &lt;Fin&gt;', '−$25.00', '−$4.00', '$12.50', '−$16.50'])
      expect(shown.html).toContain(text);
    expect((await sponsor.get('/partner/promotions?status=PENDING')).html).toContain(`/partner/promotions/${id}"`);
    expect((await sponsor.get(`/partner/promotions/${id}/accept`)).html).toContain('pagas hasta $25.00 de comisión');
    const accepted = await Promise.all([1, 2].map(() => sponsor.post(`/partner/promotions/${id}/accept`)));
    expect(accepted.map(({ location }) => location)).toEqual(Array(2).fill(`/partner/promotions/${id}?done=accepted`));
    expect((await record(id)).status).toBe('ACTIVE');

    const shop = merchant();
    const { status, body: charge } = await shop.charge(await shop.saveCard(), { amount: 1000 });
    expect(status).toBe(201);
    await tested.agreed();
    expect((await operator.get(`/promotions/${id}`)).html).toContain('1 pago<');
    const payment = (await operator.get(`/payments/${charge.id}`)).html;
    expect(payment).toContain(`href="/promotions/${id}"`);
    expect(payment).toContain('Buen &lt;Fin&gt;');

    await operator.get(`/promotions/${id}/end`);
    const ended = await Promise.all([1, 2].map(() => operator.post(`/promotions/${id}/end`)));
    expect(ended.map(({ location }) => location)).toEqual(Array(2).fill(`/promotions/${id}?done=ended`));
    expect((await record(id)).status).toBe('ENDED');
    await sponsor.get(`/partner/promotions/${id}/accept`);
    expect(await sponsor.post(`/partner/promotions/${id}/accept`)).toMatchObject({
      status: 409,
      html: expect.stringContaining('La promoción ya terminó'),
    });
    const audit = await db('dashboard').many<{ what: string; outcome: string }>(sql`
      select distinct what, outcome from audit where target = ${id} order by what, outcome`);
    expect(audit.map(({ what, outcome }) => `${what} ${outcome}`)).toEqual([
      'promotion.accept answered',
      'promotion.accept asked',
      'promotion.create answered',
      'promotion.end answered',
      'promotion.end asked',
    ]);
  });

  test('its sponsor ends one; who has no sponsor makes none', async () => {
    const id = await create();
    await sponsor.get(`/partner/promotions/${id}/end`);
    expect((await sponsor.post(`/partner/promotions/${id}/end`)).location).toBe(`/partner/promotions/${id}?done=ended`);
    const { browser: stranger } = await signInElsewhere(tested);
    await stranger.get('/promotions/new');
    const alone = await stranger.post('/promotions/new', { ...fields, formId: await newForm() });
    expect(alone).toMatchObject({ status: 409, html: expect.stringContaining('no tiene socio comercial') });
  });
}

import '@cobro/testing/check-answers.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PaymentFacts } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { partnerListOf, partnerPayment } from '@cobro/contracts/partner-payments.ts';
import { nothingShown } from '@cobro/testing/nothing-shown.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { about, approved, organizationEvent, partner, paymentFacts, rates } from '@cobro/testing/test-facts.ts';
import { startReporting } from './reporting-under-test.ts';

let database: TestDatabase;
let reporting: Awaited<ReturnType<typeof startReporting>>;
const partnerId = newId();
const bakery = { organizationId: newId(), name: 'Panadería La 100%', partnerId };
const garage = { organizationId: newId(), name: 'Taller Ruiz', partnerId };
const stranger = { organizationId: newId(), name: 'Otra Casa', partnerId: newId() };

beforeAll(async () => {
  database = await testDatabase('reporting');
  reporting = await startReporting(database.url);
  await reporting.receive(
    ...[bakery, garage, stranger].map((organization) => organizationEvent('OrganizationRegistered', 1, organization)),
  );
  await Promise.all([confirmed(stranger), confirmed({ organizationId: newId() })]);
});
afterAll(async () => {
  await reporting.close();
  await database.drop();
});

const page = partnerListOf(partnerPayment);

const at = (time: string) => new Date(time);
const charged = at('2026-11-20T17:00:01.000Z');

async function confirmed({ organizationId }: { organizationId: string }, given: Partial<PaymentFacts> = {}) {
  const facts = paymentFacts({ organizationId, ...given });
  await reporting.receive(about('PaymentConfirmed', { ...facts, confirmedAt: facts.createdAt }));
  return facts;
}

async function list(query = '') {
  const { status, body } = await reporting.get(partner(partnerId), `/developer/payment?${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return page.parse(body);
}

const idsOf = async (query: string) => (await list(query)).data.map((payment) => payment.id);

async function itemOf(facts: PaymentFacts) {
  const { data } = await list(`id=${facts.paymentId}`);
  expect(data).toHaveLength(1);
  return data[0];
}

const zeros = {
  feeAmount: '0.00',
  merchantFeeAmount: '0.00',
  manufacturerFeeAmount: '0.00',
  merchantIvaFeeAmount: '0.00',
  manufacturerIvaFeeAmount: '0.00',
  totalFeeIva: '0.00',
  promotionTakeAmount: '0.00',
  merchantTakeAmount: '0.00',
  manufacturerTakeAmount: '0.00',
};
const percentages = {
  feePercentage: 3.5,
  promotionFeeDiscount: 1,
  finalFeePercentageForMerchant: 2.5,
  finalFeePercentageForManufacturer: 1,
  promotionBusinessTake: 2,
};

describe('GET /developer/payment of a sales partner', () => {
  test('shows the documented item, its disbursement by the worked example', async () => {
    const facts = await confirmed(bakery);
    expect(await itemOf(facts)).toEqual({
      ...nothingShown('partner'),
      promotionId: null,
      id: facts.paymentId,
      status: 'CONFIRMED',
      type: 'CARD_NOT_PRESENT',
      financingMethod: 'PAY_NOW',
      operationCode: Number(facts.operationCode),
      amount: 1000,
      currency: 'MXN',
      terms: 1,
      periodicity: null,
      createdAt: '2026-11-20T17:00:00.000Z',
      organization: { id: bakery.organizationId, name: bakery.name },
      cardInformation: {
        lastFourDigits: '**** 4242',
        networkType: 'VISA',
        issuingBank: 'BANCO DE PRUEBA',
        fundingSource: 'CREDIT',
        entryMode: null,
      },
      paymentDisbursement: {
        ...percentages,
        feeAmount: '35.00',
        merchantFeeAmount: '25.00',
        manufacturerFeeAmount: '10.00',
        merchantIvaFeeAmount: '4.00',
        manufacturerIvaFeeAmount: '1.60',
        totalFeeIva: '5.60',
        promotionTakeAmount: '20.00',
        merchantTakeAmount: '951.00',
        manufacturerTakeAmount: '8.40',
      },
      transaction: {
        bankReference: 'charge-1',
        rawResponseText: 'APROBADA',
        authResult: 'APPROVED',
        createdAt: '2026-11-20T17:00:01.000Z',
        authCode: '123456',
        resultCode: '00',
      },
      terminal: null,
      billingInformation: {
        email: null,
        firstName: null,
        lastName: null,
        phoneNumber: null,
        address: { addressLine: null, city: null, state: null, zip: null },
      },
      salesperson: null,
      businessStoreBranch: null,
    });
  });

  test('a hold is PENDING without a disbursement; its capture disburses what was captured; a refund keeps the figures', async () => {
    const facts = paymentFacts({ organizationId: garage.organizationId });
    await reporting.receive(about('HoldPlaced', { ...facts, captureBefore: null, heldAt: charged }));
    expect(await itemOf(facts)).toMatchObject({ status: 'PENDING', paymentDisbursement: { ...percentages, ...zeros } });

    const transaction = approved('capture-1', '2026-11-20T17:45:00.000Z');
    const capture = { ...facts, amount: 50_000n, capturedAt: charged, rates, transaction };
    await reporting.receive(about('HoldCaptured', capture));
    const disbursed = { feeAmount: '17.50', merchantTakeAmount: '475.50', manufacturerTakeAmount: '4.20' };
    const captured = { amount: 500, transaction: { bankReference: 'capture-1' }, paymentDisbursement: disbursed };
    expect(await itemOf(facts)).toMatchObject({ ...captured, status: 'CONFIRMED' });

    const refund = {
      ...facts,
      refundedAt: charged,
      reason: null,
      payment: null,
      transaction: approved('refund-1', '2026-11-21T17:45:00.000Z'),
    };
    await reporting.receive(about('PaymentRefunded', refund));
    expect(await itemOf(facts)).toMatchObject({ ...captured, status: 'REFUNDED' });
  });

  test('declined, released and expired show as CANCELLED with zeros', async () => {
    const declined = paymentFacts({ organizationId: garage.organizationId });
    const released = paymentFacts({ organizationId: garage.organizationId });
    const expired = paymentFacts({ organizationId: garage.organizationId, rates: null });
    await reporting.receive(
      about('PaymentDeclined', { ...declined, declinedAt: charged, declineCode: 'insufficient_funds' }),
      about('HoldPlaced', { ...released, captureBefore: null, heldAt: charged }),
      about('HoldReleased', { ...released, releasedAt: charged }),
      about('HoldPlaced', { ...expired, captureBefore: null, heldAt: charged }),
      about('HoldExpired', { ...expired, releasedAt: charged }),
    );
    for (const facts of [declined, released]) {
      const paymentDisbursement = { ...percentages, ...zeros };
      expect(await itemOf(facts)).toMatchObject({ status: 'CANCELLED', paymentDisbursement });
    }
    const unknown = Object.fromEntries(Object.keys(percentages).map((name) => [name, null]));
    expect(await itemOf(expired)).toMatchObject({ status: 'CANCELLED', paymentDisbursement: { ...unknown, ...zeros } });
    expect(await idsOf('status=CANCELLED')).toHaveLength(3);
    expect(await idsOf('status=CANCELLED&status=REFUNDED')).toHaveLength(4);
    expect(await idsOf('status=PENDING')).toEqual([]);
  });

  test('shows all organizations of the partner and of no other, newest first, in offset pages', async () => {
    const all = await list('limit=100');
    expect(new Set(all.data.map((payment) => payment.organization.id))).toEqual(
      new Set([bakery.organizationId, garage.organizationId]),
    );
    const ids = all.data.map((payment) => payment.id);
    expect(ids).toEqual(
      all.data.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id)).map((p) => p.id),
    );
    expect(await list()).toMatchObject({ pagination: { limit: 20, offset: 0, count: ids.length } });
    const paged: string[] = [];
    for (let offset = 0; offset < ids.length; offset += 2) {
      const { data, pagination } = await list(`limit=2&offset=${offset}`);
      expect(pagination).toEqual({ limit: 2, offset, count: ids.length });
      paged.push(...data.map((payment) => payment.id));
    }
    expect(paged).toEqual(ids);
    expect(await list('offset=1000')).toEqual({ data: [], pagination: { limit: 20, offset: 1000, count: ids.length } });
  });

  test('a payment follows its organization to another partner', async () => {
    const moving = { organizationId: newId(), name: 'Viajera', partnerId };
    await reporting.receive(organizationEvent('OrganizationChanged', 7, moving));
    const facts = await confirmed(moving);
    expect(await idsOf(`id=${facts.paymentId}`)).toEqual([facts.paymentId]);
    await reporting.receive(organizationEvent('OrganizationChanged', 8, { ...moving, partnerId: stranger.partnerId }));
    await reporting.receive(organizationEvent('OrganizationRegistered', 1, moving));
    expect(await idsOf(`id=${facts.paymentId}`)).toEqual([]);
  });
});

describe('the filters of the partner list', () => {
  const createdAt = at('2026-08-15T06:00:00.000Z');
  let cake: PaymentFacts;
  let tyre: PaymentFacts;
  beforeAll(async () => {
    const tap = {
      type: 'CARD_PRESENT',
      source: 'PAYMENT_INTENT',
      paymentMethodId: null,
      paymentIntentId: newId(),
    } as const;
    cake = await confirmed(bakery, { createdAt, amount: 12_345n, operationCode: 770_011n });
    tyre = await confirmed(garage, {
      ...tap,
      createdAt: at('2026-08-16T05:59:59.999Z'),
      terms: 12,
      operationCode: 880_022n,
      card: {
        lastFourDigits: '0005',
        network: 'AMEX',
        fundingSource: 'CREDIT',
        issuingBank: 'BANCO AZTECA',
        entryMode: 'CHIP',
      },
    });
  });

  const both = 'createdAtFrom=2026-08-15&createdAtTo=2026-08-15';
  test.each([
    [both, ['tyre', 'cake']],
    ['createdAtTo=2026-08-14', []],
    [`${both}&type=CARD_PRESENT`, ['tyre']],
    [`${both}&type=CARD_PRESENT&type=CARD_NOT_PRESENT`, ['tyre', 'cake']],
    [`${both}&financingMethod=INSTALLMENTS`, ['tyre']],
    [`${both}&financingMethod=PAY_NOW`, ['cake']],
    [`${both}&financingMethod=PAY_NOW&financingMethod=INSTALLMENTS`, ['tyre', 'cake']],
    [`${both}&terms=12&terms=6`, ['tyre']],
    [`${both}&issuingBank=BANCO%20AZTECA`, ['tyre']],
    [`${both}&organizationId=${bakery.organizationId}`, ['cake']],
    [`${both}&organizationId=${bakery.organizationId.toUpperCase()}`, ['cake']],
    [`${both}&organizationId=${bakery.organizationId}&organizationId=${garage.organizationId}`, ['tyre', 'cake']],
    ['operationCode=7001', ['cake']],
    ['operationCode=7001&operationCode=8002', ['tyre', 'cake']],
    [`${both}&search=taller`, ['tyre']],
    [`${both}&search=0%25`, ['cake']],
    [`${both}&search=100_`, []],
    [`${both}&search=123.45`, ['cake']],
    [`${both}&search=1000`, ['tyre']],
  ])('%s', async (query, names) => {
    const { data, pagination } = await list(query);
    const known = new Map([
      [cake.paymentId, 'cake'],
      [tyre.paymentId, 'tyre'],
    ]);
    expect(data.map((payment) => known.get(payment.id))).toEqual(names);
    expect(pagination.count).toBe(names.length);
  });

  test.each([
    ['limit=101', 'limit: must be from 1 to 100.'],
    ['offset=-1', 'offset: must be a whole number.'],
    ['page=2', 'page: is not a known field.'],
    ['search=', 'search: must not be empty.'],
    ['search=4242%204242%204242%204242', 'search: must not contain a card number or security code.'],
    ['operationCode=12a4', 'operationCode.0: must be digits.'],
    [Array(21).fill('operationCode=1234').join('&'), 'operationCode: must be given 20 times at most.'],
    [
      'createdAtFrom=yesterday',
      'createdAtFrom: must be a date (YYYY-MM-DD) or a date-time with offset (a + is written %2B).',
    ],
  ])('%s is refused', async (query, message) => {
    const answer = await reporting.get(partner(partnerId), `/developer/payment?${query}`);
    expect(answer).toEqual({ status: 400, body: { message, code: 'VALIDATION_ERROR' } });
  });

  test('a foreign organization, or one that does not exist, is refused for the whole request', async () => {
    const forbidden = {
      status: 403,
      body: { code: 'FORBIDDEN', message: 'This key has no permission for this resource.' },
    };
    for (const organizationId of [stranger.organizationId, newId()]) {
      const query = `organizationId=${bakery.organizationId}&organizationId=${organizationId}`;
      expect(await reporting.get(partner(partnerId), `/developer/payment?${query}`)).toEqual(forbidden);
    }
  });
});

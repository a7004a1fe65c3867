import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { paymentMethod, type PaymentMethod } from '@cobro/contracts/payment-methods.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { hearEvents, type HeardEvents } from '@cobro/testing/hear-events.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { approvedCard, refusedCard } from '@cobro/testing/card-numbers.ts';
import { cardBody, type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';

let services: RunningServices;
let events: HeardEvents;
let merchant: TestMerchant;

beforeAll(async () => {
  services = await startServices({ services: ['payments'], env: { BANK_CALL_TIMEOUT_MS: '4000' } });
  events = await hearEvents(services.broker);
  merchant = await testMerchant(services);
});
afterAll(async () => {
  await events.close();
  await services.stop();
});

const save = (body: unknown, of = merchant) => of.call({ method: 'POST', path: '/payment-method', body });
const shown = (answer: HttpAnswer): PaymentMethod => paymentMethod.parse(answer.body);
const read = async (id: string) => (await merchant.call({ path: `/payment-method/${id}` })).body as PaymentMethod;
const count = async () => ((await merchant.call({ path: '/payment-method' })).body as { count: number }).count;
const tokenizations = async () => (await services.bank.operations()).length;

const billingInformation = {
  email: 'ana@example.mx',
  firstName: 'Ana',
  phoneNumber: '+52 55 1234 5678',
  address: { city: 'Mérida', zip: '97000' },
};

describe('saving a card', () => {
  test('shows four digits and a network of it, and keeps the number nowhere', async () => {
    const number = '4915661111111113';
    const answer = await save({ externalId: 'card 1', card: cardBody(number), billingInformation });
    expect(answer.status).toBe(201);
    const saved = shown(answer);
    expect(saved).toEqual({
      id: saved.id,
      status: 'ACTIVE',
      externalId: 'card 1',
      card: { lastFourDigits: '1113', networkType: 'VISA' },
      createdAt: saved.createdAt,
    });
    expect(await read(saved.id)).toEqual(saved);
    const found = await events.data('PaymentMethodSaved', saved.id);
    expect(found).toMatchObject({ organizationId: merchant.organizationId, lastFourDigits: '1113', network: 'VISA' });
    const { row } = await services.db('payments').one<{ row: string }>(sql`
      select row(m, o)::text as row from payment_method m join bank_operation o on o.subject_id = m.id
      where m.id = ${saved.id}`);
    expect(row).not.toMatch(/4915661111|tok_/);
    expect(row).not.toContain(Buffer.from('tok_').toString('hex'));
    expect(services.logs('payments')).not.toMatch(/4915661111|tok_/);
  });

  test.each([
    [testCards.mastercardDebit, '8210', 'MASTERCARD'],
    [testCards.amexCredit, '0005', 'AMEX'],
    [testCards.declined, '0002', 'VISA'],
  ])('takes %s', async (number, lastFourDigits, networkType) => {
    const answer = await save({ card: cardBody(number) });
    expect(answer).toMatchObject({ status: 201, body: { externalId: null, card: { lastFourDigits, networkType } } });
  });

  test('that the bank refuses is as if it had not been sent', async () => {
    const before = await count();
    await services.bank.setFaults({ next: [{ kind: 'tokenize', fault: 'decline' }] });
    const body = { externalId: 'refused', card: cardBody() };
    const refused = await save(body);
    expect(refused.status).toBe(402);
    expect(refused.body).toEqual({
      message: 'The bank declined the card.',
      code: 'CARD_DECLINED',
      declineCode: 'do_not_honor',
    });
    expect(await count()).toBe(before);
    expect(await save(body)).toMatchObject({ status: 201, body: { externalId: 'refused', status: 'ACTIVE' } });
  });

  // On the last evening of a year in Mexico City, UTC is already in the next.
  const yearBeforeLast = new Date().getUTCFullYear() - 2;
  test.each<[string, unknown, string[]]>([
    ['nothing', undefined, ['card']],
    ['an empty body', {}, ['card']],
    ['a number that fails the check digit', { card: cardBody('4242424242424241') }, ['card.number']],
    ['a number in groups', { card: cardBody('4242 4242 4242 4242') }, ['card.number']],
    ['a short number', { card: cardBody('42424242424') }, ['card.number']],
    ['a number that is a number', { card: { ...cardBody(), number: 4_242_424_242_424_242 } }, ['card.number']],
    ['a month 0', { card: { ...cardBody(), expirationMonth: 0 } }, ['card.expirationMonth']],
    ['a month 13', { card: { ...cardBody(), expirationMonth: 13 } }, ['card.expirationMonth']],
    ['a month as text', { card: { ...cardBody(), expirationMonth: '12' } }, ['card.expirationMonth']],
    ['a year of two digits', { card: { ...cardBody(), expirationYear: 32 } }, ['card.expirationYear']],
    ['an expired card', { card: { ...cardBody(), expirationYear: yearBeforeLast } }, ['card.expirationMonth']],
    ['a cvc of two digits', { card: { ...cardBody(), cvc: '12' } }, ['card.cvc']],
    ['a cvc that is a number', { card: { ...cardBody(), cvc: 123 } }, ['card.cvc']],
    ['no holder', { card: { ...cardBody(), holderName: '' } }, ['card.holderName']],
    ['a typo in the card', { card: { ...cardBody(), cvv: '123' } }, ['card.cvv']],
    ['a typo in the body', { card: cardBody(), externalID: 'x' }, ['externalID']],
    ['a long externalId', { card: cardBody(), externalId: 'ñ'.repeat(256) }, ['externalId']],
    [
      'NUL in an address',
      { card: cardBody(), billingInformation: { address: { city: '\0' } } },
      ['billingInformation.address.city'],
    ],
    ['an unknown billing field', { card: cardBody(), billingInformation: { rfc: 'X' } }, ['billingInformation.rfc']],
  ])('does not take %s', async (_name, body, paths) => {
    const before = await tokenizations();
    const answer = await save(body);
    expect(answer).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
    const { message, details } = answer.body as { message: string; details: { path: string }[] };
    expect(details.map(({ path }) => path)).toEqual(paths);
    for (const path of paths) expect(message).toContain(`${path}: `);
    expect(message).not.toMatch(/\d{5}/);
    expect(await tokenizations()).toBe(before);
  });
});

describe('the externalId of a card', () => {
  test('given again with the same card is the original', async () => {
    const body = { externalId: 'again', card: cardBody(), billingInformation };
    const first = await save(body);
    const before = await tokenizations();
    const again = await save({ ...body, billingInformation: null });
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(await save({ ...body, card: cardBody(testCards.amexCredit) })).toMatchObject(
      refusal(409, 'EXTERNAL_ID_MISMATCH'),
    );
    const renewed = { ...cardBody(), expirationYear: 2033 };
    expect(await save({ ...body, card: renewed })).toMatchObject(refusal(409, 'EXTERNAL_ID_MISMATCH'));
    expect(await tokenizations()).toBe(before);
  });

  test('is free again when the card is revoked, and is of one organization', async () => {
    const body = { externalId: 'free', card: cardBody() };
    const first = shown(await save(body));
    expect(await save(body, await testMerchant(services))).toMatchObject({ status: 201, body: { externalId: 'free' } });
    await merchant.call({ method: 'DELETE', path: `/payment-method/${first.id}` });
    const second = shown(await save({ ...body, card: cardBody(testCards.amexCredit) }));
    expect(second.id).not.toBe(first.id);
    expect(await read(first.id)).toMatchObject({ status: 'REVOKED', externalId: 'free' });
  });

  test('is none where it is empty', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => save({ externalId: '', card: cardBody() })));
    expect(one).toMatchObject({ status: 201, body: { externalId: null } });
    expect(other && shown(other).id).not.toBe(one && shown(one).id);
  });

  test('given 20 times at once saves one card', async () => {
    const before = await tokenizations();
    const body = { externalId: 'twenty', card: cardBody() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => patiently(() => save(body))));
    const saved = answers.filter(({ status }) => status === 201);
    // A request that has waited for two seconds gets SAVE_IN_PROGRESS.
    const found = answers.filter(({ status }) => status !== 201);
    expect(found).toMatchObject(found.map(() => refusal(409, 'SAVE_IN_PROGRESS')));
    expect(new Set(saved.map((answer) => shown(answer).id)).size).toBe(1);
    expect(await tokenizations()).toBe(before + 1);
  });

  test('given at once for a card that the bank refuses first is saved by the next', async () => {
    await services.bank.setFaults({ next: [{ kind: 'tokenize', fault: 'decline' }] });
    const body = { externalId: 'second try', card: cardBody() };
    const answers = await Promise.all(Array.from({ length: 5 }, () => patiently(() => save(body))));
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(1);
    // A request that has waited for two seconds gets SAVE_IN_PROGRESS.
    const waited = answers.filter(({ status }) => status !== 402 && status !== 201);
    expect(waited).toMatchObject(waited.map(() => refusal(409, 'SAVE_IN_PROGRESS')));
    const saved = [...answers.filter(({ status }) => status === 201), await save(body)];
    expect(new Set(saved.map((answer) => shown(answer).id)).size).toBe(1);
  });
});

describe('a card that the bank does not answer for', () => {
  test.each([
    ['silentDone', 'ACTIVE'],
    ['silentNotDone', 'REVOKED'],
  ])('%s: is pending, cannot be charged, and is %s later', async (fault, end) => {
    await services.bank.setFaults({ ...unansweredInquiries, next: [{ kind: 'tokenize', fault }] });
    const body = { externalId: newId(), card: cardBody() };
    const first = await save(body);
    expect(first).toMatchObject({ status: 202, body: { status: 'PENDING', card: { lastFourDigits: '4242' } } });
    const { id } = shown(first);
    expect(first.headers.get('location')).toBe(`/api/payment-method/${id}`);
    expect(first.headers.get('retry-after')).toBe('1');
    const duplicate = await save(body);
    expect(duplicate).toMatchObject({ status: 202, body: first.body });
    expect(await save({ ...body, card: cardBody(testCards.amexCredit) })).toMatchObject(
      refusal(409, 'EXTERNAL_ID_MISMATCH'),
    );
    expect(await merchant.charge(id)).toMatchObject(refusal(409, 'PAYMENT_METHOD_NOT_ACTIVE'));
    await services.bank.setFaults({});
    await until('it is settled', async () => (await read(id)).status !== 'PENDING');
    expect((await read(id)).status).toBe(end);
    const again = shown(await save(body));
    expect(again.id === id).toBe(end === 'ACTIVE');
    expect(await merchant.charge(again.id)).toMatchObject({ status: 201 });
  });

  test('revoked meanwhile stays revoked', async () => {
    await services.bank.setFaults({ next: [{ kind: 'tokenize', fault: 'silentDone' }] });
    const { id } = shown(await save({ card: cardBody() }));
    expect(await merchant.call({ method: 'DELETE', path: `/payment-method/${id}` })).toMatchObject({ status: 200 });
    await until('it is settled', async () => {
      const { open } = await services.db('payments').one<{ open: number }>(sql`
        select count(*)::int as open from bank_operation where subject_id = ${id} and status = 'open'`);
      return open === 0;
    });
    expect((await read(id)).status).toBe('REVOKED');
  });
});

describe('cards that are refused', () => {
  let cards = 0;
  const refusedTimes = async (number: string, times: number) => {
    const answers: HttpAnswer[] = [];
    for (let n = 0; n < times; n++) {
      const card = { ...cardBody(number), expirationMonth: 1 + n, expirationYear: 2035 };
      answers.push(await save({ card, externalId: 'the same' }, n % 2 === 0 ? merchant : other));
    }
    return answers;
  };
  let other: TestMerchant;
  beforeAll(async () => {
    other = await testMerchant(services);
  });

  test('are refused 5 times each, whoever saves them and whatever the expiry; then 429 asks nobody and keeps nothing', async () => {
    const number = refusedCard(++cards);
    const answers = await refusedTimes(number, 5);
    expect(answers).toMatchObject(answers.map(() => refusal(402, 'CARD_DECLINED')));
    const [before, asked] = [await count(), await tokenizations()];
    const [again] = await refusedTimes(number, 1);
    expect(again).toMatchObject(refusal(429, 'TOO_MANY_ATTEMPTS'));
    expect(Number(again?.headers.get('retry-after'))).toBeGreaterThan(500);
    expect([await count(), await tokenizations()]).toEqual([before, asked]);
    expect(await save({ card: cardBody(refusedCard(++cards)) })).toMatchObject(refusal(402, 'CARD_DECLINED'));
    expect(await save({ card: cardBody() })).toMatchObject({ status: 201 });
  });

  test('count only where they are refused', async () => {
    for (let n = 0; n < 7; n++) expect(await save({ card: cardBody(approvedCard(1)) })).toMatchObject({ status: 201 });
    const at = async () => (await save({ card: cardBody(approvedCard(2)) })).status;
    expect(await Promise.all(Array.from({ length: 5 }, at))).toEqual([201, 201, 201, 201, 201]);
    expect(await at()).toBe(201);
  });

  test('are 50 of one merchant before an operator is alerted, and nothing is refused for it', async () => {
    const tester = await testMerchant(services);
    const isCounted = () =>
      services.logs('payments').includes(`"organizationId":"${tester.organizationId}","event":"many_cards_refused"`);
    for (let n = 0; n < 49; n++) {
      expect(await save({ card: cardBody(refusedCard(++cards)) }, tester)).toMatchObject(refusal(402, 'CARD_DECLINED'));
    }
    expect(isCounted()).toBe(false);
    expect(await save({ card: cardBody(refusedCard(++cards)) }, tester)).toMatchObject(refusal(402, 'CARD_DECLINED'));
    await until('it is counted', isCounted);
    expect(await save({ card: cardBody() }, tester)).toMatchObject({ status: 201 });
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@cobro/contracts/ids.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { payPaymentIntent } from '@cobro/contracts/routes/payment-intents.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { answersSoFar, type Client } from './client.ts';
import {
  bankLedger,
  filesOf,
  type Overheard,
  overhearMessages,
  type Place,
  redisOf,
  tablesOf,
} from './hiding-places.ts';
import { routeExamples, sendExample } from './route-examples.ts';
import type { StackUnderTest } from './stack-under-test.ts';
import { textsOfRoutes } from './texts-of-routes.ts';

const CVC = '8467';
/** Only as a value of its own: four digits may also be part of an id, or a pid. */
const WRITTEN_CVC = new RegExp(`(cvc\\W{0,6}|["'(,])${CVC}\\b`, 'i');
const NUMBER = testCards.approved;
const AMEX = testCards.amexCredit;
/** Ways in which people and programs write a card number and a cvc into a text. */
const CARD_DATA = [
  NUMBER,
  ...[' ', '-', '.'].map((separator) => NUMBER.replaceAll(/(?<=\d)(?=(?:\d{4})+$)/g, separator)),
  `card ${NUMBER} please`,
  `${AMEX.slice(0, 4)} ${AMEX.slice(4, 10)} ${AMEX.slice(10)}`,
  `cvc ${CVC}`,
];
/** Accepted words, to see where texts are stored. */
const WORDS = `Jardin ${newId().slice(-8).replaceAll(/\d/g, 'x')}`;

/** Whatever was sent, nothing that a process left behind has card numbers, cvcs, vault tokens or API keys. */
export function cardData({ stack, merchant, agreed }: StackUnderTest): void {
  let overheard: Overheard;

  beforeAll(async () => {
    overheard = await overhearMessages(stack());
  });
  afterAll(() => overheard.close());

  test('a story with every card, and with card data where it does not belong, is played', async () => {
    const cards = Object.values(testCards);
    const saved = await Promise.all(
      cards.map(async (number) => {
        // Any text about the card may hold the number, and is not kept.
        const card = { ...cardBody(number), cvc: CVC, holderName: `${number} cvc ${CVC}` };
        const body = { card, billingInformation: { firstName: 'Ana' } };
        const answer = await merchant().send('POST', '/payment-method', { body });
        expect(answer.status).toBe(201);
        return String(answer.body['id']);
      }),
    );
    const unknown = (await Promise.all(saved.map((card) => useEverything(merchant(), card)))).flat();
    // Both silent cards, each charged and held.
    expect(unknown.filter((status) => status === 202).length).toBeGreaterThanOrEqual(4);
    const refused = await sendNonsense(merchant(), saved[0] ?? '');
    expect(refused.filter((status) => status < 400 || status >= 500)).toEqual([]);
    await expect(agreed()).resolves.toBeUndefined();
  });

  test('a tap whose EMV data hold the number is paid', async () => {
    const { organizationId } = stack().merchants;
    const example = await routeExamples.payPaymentIntent({ stack: stack(), merchant: merchant(), organizationId });
    expect(JSON.stringify(example.body)).toContain(`"5A":"${NUMBER}"`);
    const headers = { 'x-terminal-key': example.terminalKey ?? '' };
    const paid = await sendExample(`${stack().baseUrl}${payPaymentIntent.path}`, payPaymentIntent, example, headers);
    expect(paid.status).toBe(201);
  });

  test('every text of every route refuses card data, names the field and changes nothing, and takes other words', async () => {
    const { organizationId } = stack().merchants;
    const texts = await textsOfRoutes({ stack: stack(), merchant: merchant(), organizationId });
    // In the short form three of the ways, in turns: card-data.test.ts of the contracts tries all.
    const waysOf = (turn: number) => CARD_DATA.filter((_, n) => inFull || (n + turn) % CARD_DATA.length < 3);
    const wrong = await inTurns(
      texts.flatMap((text, turn) => waysOf(turn).map((written) => ({ ...text, written }))),
      async ({ route, name, worded, send, written }) => {
        // A telephone number has up to fifteen digits.
        if (name.endsWith('phoneNumber') && written.startsWith('3')) return [];
        const { status, body } = await send({ [name]: worded(written) });
        const said = typeof body === 'string' ? body : String((body as { message?: string }).message);
        const isNamed = said.includes(name.replace('.*', ''));
        return status === 400 && isNamed ? [] : [`${route} ${name} ${written}: ${status} ${said.slice(0, 200)}`];
      },
    );
    expect(wrong).toEqual([]);
    const routes = [...new Set(texts.map(({ route }) => route))];
    const taken = await inTurns(routes, async (route) => {
      const of = texts.filter((text) => text.route === route && text.takesWords);
      if (of.length === 0) return [];
      const { status, body } = await of[0]!.send(
        Object.fromEntries(of.map(({ name, worded }) => [name, worded(WORDS)])),
      );
      return status < 400 ? [] : [`${route}: ${status} ${JSON.stringify(body)}`];
    });
    expect(taken).toEqual([]);
    expect(routes.length).toBeGreaterThan(9);
    await expect(agreed()).resolves.toBeUndefined();
  });

  test('no file, table, message, key or answer holds any of it', async () => {
    // Spans are sent every 200 ms.
    await sleep(1_000);
    const ledger = bankLedger(stack());
    // Whole tokens only: at the end of a page of the file there may be a few letters of one, which occur anywhere.
    const tokens = [...new Set(ledger.flatMap(({ text }) => text.match(/tok_[\da-f]{40}/g) ?? []))];
    expect(tokens.length).toBeGreaterThanOrEqual(Object.keys(testCards).length);
    const { apiKey, otherApiKey, partnerApiKey, otherPartnerApiKey } = stack().merchants;
    const secrets = [...Object.values(testCards), apiKey, otherApiKey, partnerApiKey, otherPartnerApiKey];
    const outside: Place[] = [
      ...filesOf(stack()),
      ...(await tablesOf(stack())),
      ...(await redisOf(stack())),
      ...(await overheard.messages()),
      ...answersSoFar.map((text) => ({ where: 'answer', text })),
    ];
    expect(placesOf([...secrets, ...tokens], outside)).toEqual([]);
    // The bank's ledger may have tokens.
    expect(placesOf(secrets, ledger)).toEqual([]);
    const cvcs = outside.filter(({ text }) => WRITTEN_CVC.test(text));
    expect(cvcs.map(({ where, text }) => ({ where, around: around(text, text.search(WRITTEN_CVC)) }))).toEqual([]);
  });

  test('it was looked for where there is something to be found', async () => {
    const places = [
      ...filesOf(stack()),
      ...(await tablesOf(stack())),
      ...(await overheard.messages()),
      ...answersSoFar.map((text) => ({ where: 'answer', text })),
    ];
    const full = new Set(places.filter(({ text }) => text !== '').map(({ where }) => where));
    const services = ['gateway', 'payments', 'holds', 'reporting', 'bank'].map((name) => `${name}.log`);
    for (const where of [...services, 'spans.jsonl', 'message', 'answer', 'table payments.payment_method']) {
      expect(full).toContain(where);
    }
    const planted = [{ where: 'planted', text: `a line with ${NUMBER} in it` }];
    expect(placesOf([NUMBER], planted)).not.toEqual([]);
    for (const text of CARD_DATA.filter((form) => form.includes('42'))) {
      expect(placesOf([NUMBER], [{ where: 'planted', text: encodeURI(`a ${text}`) }])).not.toEqual([]);
    }
    const words = new Set(places.filter(({ text }) => text.includes(WORDS)).map(({ where }) => where));
    const tables = [
      'payments.payment_method',
      'payments.payment',
      'payments.one_time_payment',
      'intents.payment_intent',
    ];
    for (const where of [...[...tables, 'reporting.payment'].map((name) => `table ${name}`), 'message', 'answer']) {
      expect(words).toContain(where);
    }
    expect(placesOf([NUMBER], [{ where: 'planted', text: Buffer.from(NUMBER).toString('hex') }])).toHaveLength(1);
    expect(`{"cvc":"${CVC}"}`).toMatch(WRITTEN_CVC);
  });
}

/** Charges, holds, captures, releases and refunds, whatever their outcomes. Returns all statuses. */
async function useEverything(merchant: Client, card: string): Promise<number[]> {
  const [charged, held, other] = await Promise.all([
    merchant.charge(card),
    merchant.hold(card),
    merchant.hold(card, { amount: 50 }),
  ]);
  const operated = await Promise.all([
    merchant.refund(card, charged.body.id ?? crypto.randomUUID()),
    merchant.capture(card, held.body.id ?? crypto.randomUUID(), 60),
    merchant.release(card, other.body.id ?? crypto.randomUUID()),
  ]);
  return [charged, held, other, ...operated].map(({ status }) => status);
}

/** Sends requests like a careless program. Returns all statuses. */
async function sendNonsense(merchant: Client, card: string): Promise<number[]> {
  const bodies = [
    `{"card": {"number": "${NUMBER}", "cvc": "${CVC}"`,
    { card: { ...cardBody(`${NUMBER}0`), cvc: CVC } },
    { card: { ...cardBody(), number: Number(NUMBER), cvc: Number(CVC) } },
    { card: { ...cardBody(), expirationMonth: Number(NUMBER) } },
    { card: { ...cardBody(), cvc: NUMBER } },
    { card: { ...cardBody(), [NUMBER]: CVC } },
    { card: NUMBER },
    { number: NUMBER, cvc: CVC },
    { [NUMBER]: true },
    [NUMBER],
    NUMBER,
  ];
  const answers = await Promise.all([
    ...bodies.map((body) => merchant.send('POST', '/payment-method', { body })),
    ...[...bodies, { amount: NUMBER }, { amount: Number(NUMBER) }, { amount: 10, currency: NUMBER }].map((body) =>
      merchant.send('POST', `/payment-method/${card}/payment`, { body }),
    ),
    merchant.send('POST', `/payment-method/${card}/payment/${NUMBER}/capture`, { body: { amount: Number(NUMBER) } }),
    merchant.send('GET', `/payment-method/${NUMBER}`),
    merchant.send('GET', `/${NUMBER}`),
    merchant.send('GET', '/nowhere', { headers: { 'x-request-id': NUMBER, 'user-agent': `browser ${NUMBER}` } }),
    merchant.send('GET', `/payment-method?page=${NUMBER}&${NUMBER}=1`),
    merchant.send('GET', `/developer/v1/payment?cursor=${NUMBER}&operationCode=${NUMBER}9`),
    merchant.send('GET', `/developer/v1/payment/${NUMBER}`),
  ]);
  return answers.map(({ status }) => status);
}

/** Does the work for eight at once. Returns everything that was found wrong. */
async function inTurns<T>(list: readonly T[], work: (one: T) => Promise<string[]>): Promise<string[]> {
  const wrong: string[] = [];
  const left = [...list];
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) wrong.push(...(await work(one)));
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return wrong;
}

/** Places with a secret: as it is, with separators between its digits, or in hexadecimal or Base64, each with some text around it. */
function placesOf(secrets: string[], places: Place[]): { where: string; around: string }[] {
  const forms = secrets.flatMap((secret) => {
    const bytes = Buffer.from(secret);
    // Base64 encodes three bytes at a time: in a longer text one of these three occurs whole.
    const encoded = [0, 1, 2].map((skip) => bytes.subarray(skip, skip + 12).toString('base64'));
    return [secret, bytes.toString('hex'), ...encoded];
  });
  const inGroups = secrets
    .filter((secret) => /^\d+$/.test(secret))
    .map((number) => new RegExp([...number].join('(?:[\\s.+-]|%20)?')));
  return places.flatMap(({ where, text }) =>
    [...forms.map((form) => text.indexOf(form)), ...inGroups.map((grouped) => text.search(grouped))]
      .filter((at) => at >= 0)
      .map((at) => ({ where, around: around(text, at) })),
  );
}

const around = (text: string, at: number) => text.slice(Math.max(0, at - 80), at + 80);

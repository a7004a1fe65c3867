import { randomUUID } from 'node:crypto';
import { must } from '../broken.ts';
import type { Kit, Sentence } from '../sentence.ts';

/** Requests that do nothing, one for each kind of route. */
const harmless = (headers: Record<string, string | undefined>) =>
  [
    ['capabilities', { headers }],
    ['inquire', { headers, body: { idempotencyKey: randomUUID(), close: false } }],
    ['void', { headers: { ...headers, 'idempotency-key': randomUUID() }, body: { authorization: 'aut_none' } }],
  ] as const;

async function mustStayUnknown({ till }: Kit, key: string, what: string): Promise<void> {
  const found = await till.inquire(key);
  must(found['outcome'] === 'not_found', `${what} left something behind: ${JSON.stringify(found)}`);
}

/** Who may ask, and the form of requests. */
export const forms: Sentence[] = [
  {
    name: 'capabilities',
    says: 'The capabilities are in their form.',
    isHarmless: true,
    hold: async ({ acquirer }) => {
      const { status } = await acquirer.ask('capabilities', {});
      must(status === 200, `they were answered ${status}`);
    },
  },
  {
    name: 'token-needed',
    says: 'Without its bearer token, and with a wrong one, a request is 401.',
    isHarmless: true,
    cannot: ({ tokens }) => (tokens.length === 0 ? 'needs ACQUIRER_TOKENS' : undefined),
    hold: async ({ acquirer }) => {
      for (const authorization of [undefined, 'Bearer wrong', 'Basic d3Jvbmc=']) {
        for (const [route, sending] of harmless({ authorization })) {
          const { status } = await acquirer.ask(route, sending);
          must(status === 401, `${route} with ${authorization ?? 'no token'} was answered ${status}`);
        }
      }
    },
  },
  {
    name: 'both-tokens',
    says: 'While a token turns, the old one and the new one are taken.',
    isHarmless: true,
    cannot: ({ tokens }) => (tokens.length < 2 ? 'needs two tokens in ACQUIRER_TOKENS' : undefined),
    hold: async ({ acquirer, tokens }) => {
      for (const token of tokens) {
        const { status } = await acquirer.ask('capabilities', { headers: { authorization: `Bearer ${token}` } });
        must(status === 200, `the token that begins with ${token.slice(0, 2)} was answered ${status}`);
      }
    },
  },
  {
    name: 'bad-request',
    says: 'A request that is not in its form is 400 and does nothing.',
    hold: async (kit) => {
      const { acquirer, till } = kit;
      const token = await till.tokenOf();
      const good = till.bodies.sale(token, till.amount);
      const bad: object[] = [
        { amount: 0 },
        { amount: -till.amount },
        { amount: till.amount + 0.5 },
        { amount: String(till.amount) },
        { amount: null },
        { currency: 'USD' },
        { terms: 0 },
        { token: '' },
        { initiatedBy: 'nobody' },
        { merchant: null },
      ];
      for (const change of bad) {
        const key = randomUUID();
        const { status } = await till.send('sale', { ...good, ...change }, key);
        must(status === 400, `a sale with ${JSON.stringify(change)} was answered ${status}`);
        await mustStayUnknown(kit, key, `a sale with ${JSON.stringify(change)}`);
      }
      const key = randomUUID();
      const keyed = { 'idempotency-key': key };
      for (const text of ['', '{', 'null', '[]', JSON.stringify(good).slice(0, -1)]) {
        const { status } = await acquirer.ask('sale', { text, headers: keyed });
        must(status === 400, `a sale whose body is ${text || 'empty'} was answered ${status}`);
      }
      await mustStayUnknown(kit, key, 'a body that is no JSON');
      for (const wrong of [undefined, '', 'x', `${key}x`]) {
        const { status } = await acquirer.ask('sale', { body: good, headers: { 'idempotency-key': wrong } });
        must(status === 400, `a sale with the key ${wrong ?? 'left out'} was answered ${status}`);
      }
    },
  },
  {
    name: 'recurring',
    says: 'A sale that is marked recurring is taken where the capabilities say so.',
    cannot: ({ capabilities }) => (capabilities.recurring === true ? undefined : 'this acquirer takes no such mark'),
    hold: async ({ till }) => {
      const sale = till.bodies.sale(await till.tokenOf(), till.amount);
      await till.approved('sale', { ...sale, recurring: true });
    },
  },
  {
    name: 'too-large',
    says: 'A body longer than 64 KiB is 413 and does nothing.',
    hold: async (kit) => {
      const key = randomUUID();
      const { status } = await kit.till.send('sale', { token: 'x'.repeat(70_000) }, key);
      must(status === 413, `it was answered ${status}`);
      await mustStayUnknown(kit, key, 'a large body');
    },
  },
  {
    name: 'alphabets',
    says: 'Names in any alphabet are taken, and control characters break nothing.',
    hold: async ({ till }) => {
      for (const holderName of ['María Ñandú', '山田太郎', 'Ёлка', 'أحمد', 'Ana 🙂', "O'Brien; drop table"]) {
        await till.approved('tokenize', { ...till.bodies.card(), holderName });
      }
      for (const holderName of ['A\u0000B', 'A\r\nB: c', '\u001b[2J', '\u202eanA', '\ud800']) {
        const { status } = await till.send('tokenize', { ...till.bodies.card(), holderName });
        must(status === 200 || status === 400, `${JSON.stringify(holderName)} was answered ${status}`);
      }
      const sale = till.bodies.sale(await till.tokenOf(), till.amount);
      const merchant = { id: randomUUID(), descriptor: 'CAFÉ «ÑANDÚ»' };
      await till.approved('sale', { ...sale, merchant });
    },
  },
];

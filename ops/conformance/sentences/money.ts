import type { Json } from '../acquirer.ts';
import { must } from '../broken.ts';
import type { Sentence } from '../sentence.ts';

/** A reference or token in the acquirer's form that it has never given. */
const unknownLike = (known: unknown): string =>
  [...String(known)].map((letter, at, { length }) => (at < length - 6 ? letter : letter === '0' ? '1' : '0')).join('');

/** What may be done with money, and how often. */
export const money: Sentence[] = [
  {
    name: 'capture-once',
    says: 'An authorization is captured once, in part as well.',
    hold: async ({ till }) => {
      for (const amount of [till.amount, till.part]) {
        const authorization = await till.authorize(till.amount);
        await till.capture(authorization, amount);
        await till.declinedWith('already_captured', 'capture', till.bodies.capture(authorization, till.part));
      }
    },
  },
  {
    name: 'capture-once-at-once',
    says: 'Of captures of one authorization at once under different keys, one is approved.',
    hold: async ({ till }) => {
      const authorization = await till.authorize(till.amount);
      const capture = () => till.decided('capture', till.bodies.capture(authorization, till.part));
      const captures = await Promise.all([capture(), capture(), capture(), capture()]);
      const approved = captures.filter(({ answer }) => answer['outcome'] === 'approved');
      must(approved.length === 1, `${approved.length} of 4 were approved`);
    },
  },
  {
    name: 'capture-above',
    says: 'A capture above the authorization is declined, and the authorization stays as it was.',
    hold: async ({ till }) => {
      const authorization = await till.authorize(till.amount);
      const above = till.bodies.capture(authorization, till.amount + 1);
      await till.declinedWith('amount_exceeds_authorization', 'capture', above);
      await till.capture(authorization, till.amount);
    },
  },
  {
    name: 'void',
    says: 'An authorization is voided once, and not captured afterwards.',
    hold: async ({ till }) => {
      const authorization = await till.authorize(till.amount);
      await till.approved('void', till.bodies.void(authorization));
      await till.declinedWith('already_voided', 'void', till.bodies.void(authorization));
      await till.declinedWith('already_voided', 'capture', till.bodies.capture(authorization, till.amount));
    },
  },
  {
    name: 'void-after-capture',
    says: 'An authorization that was captured is not voided.',
    hold: async ({ till }) => {
      const authorization = await till.authorize(till.amount);
      const capture = await till.capture(authorization, till.part);
      await till.declinedWith('already_captured', 'void', till.bodies.void(authorization));
      await till.refund(capture, till.part);
    },
  },
  {
    name: 'refund-in-parts',
    says: 'A sale and a capture are refunded in parts up to their amount, and no further.',
    hold: async ({ till }) => {
      const captured = await till.capture(await till.authorize(till.amount), till.part * 5);
      for (const [original, amount] of [
        [await till.sell(till.amount), till.amount],
        [captured, till.part * 5],
      ] as const) {
        await till.refund(original, till.part);
        const above = till.bodies.refund(original, amount - till.part + 1);
        await till.declinedWith('amount_exceeds_captured', 'refund', above);
        await till.refund(original, amount - till.part);
        await till.declinedWith('amount_exceeds_captured', 'refund', till.bodies.refund(original, till.part));
      }
    },
  },
  {
    name: 'refund-of-nothing',
    says: 'An authorization that was not captured is not refunded.',
    hold: async ({ till }) => {
      const authorization = await till.authorize(till.amount);
      await till.declinedWith('not_captured', 'refund', till.bodies.refund(authorization, till.part));
    },
  },
  {
    name: 'unknown-references',
    says: 'References and tokens that were never given are declined.',
    hold: async ({ till }) => {
      const { sale, charge } = till.bodies;
      const [sold, token] = [await till.sell(till.amount), unknownLike(await till.tokenOf())];
      const original = unknownLike(sold.answer['reference']);
      const authorization = unknownLike((await till.authorize(till.amount)).answer['reference']);
      const amount = till.part;
      await till.declinedWith('unknown_reference', 'capture', { authorization, amount });
      await till.declinedWith('unknown_reference', 'void', { authorization });
      await till.declinedWith('unknown_reference', 'refund', { original, amount });
      await till.declinedWith('unknown_token', 'sale', sale(token, amount));
      await till.declinedWith('unknown_token', 'authorize', charge(token, amount));
    },
  },
  {
    name: 'exact-amount',
    says: 'A sale under a new key is approved for exactly what was asked.',
    hold: async ({ till }) => {
      const { amount = till.amount } = (await till.sell(till.amount)).answer;
      must(amount === till.amount, `a sale of ${till.amount} was approved for ${String(amount)}`);
    },
  },
  {
    name: 'amounts',
    says: 'The smallest and the largest amount of the capabilities are taken, and none outside of them.',
    hold: async ({ till, capabilities: { minimumAmount, maximumAmount } }) => {
      const token = await till.tokenOf();
      for (const amount of [minimumAmount, maximumAmount]) {
        const sold = await till.approved('sale', till.bodies.sale(token, amount));
        await till.refund(sold, amount);
        const authorization = await till.approved('authorize', till.bodies.charge(token, amount));
        await till.capture(authorization, amount);
      }
      for (const amount of [minimumAmount - 1, maximumAmount + 1]) {
        const { status } = await till.send('sale', till.bodies.sale(token, amount));
        must(status === 400, `a sale of ${amount} was answered ${status}`);
      }
    },
  },
  {
    name: 'terms',
    says: 'Each number of terms of the capabilities is taken; another one is refused, and its key is closed.',
    hold: async ({ till, capabilities: { terms, minimumPerTerm } }) => {
      const token = await till.tokenOf();
      for (const term of terms) {
        const amount = Math.max(till.amount, term > 1 ? term * minimumPerTerm : 0);
        await till.approved('sale', till.bodies.sale(token, amount, term));
      }
      const other = Array.from({ length: 99 }, (_, at) => at + 1).find((term) => !terms.includes(term));
      if (other === undefined) return;
      const body = till.bodies.sale(token, Math.max(till.amount, other * minimumPerTerm), other);
      const key = crypto.randomUUID();
      const { status, body: answer } = await till.send('sale', body, key);
      must(answer['error'] === 'refused', `a sale in ${other} terms was answered ${status} ${JSON.stringify(answer)}`);
      await till.declinedWith('key_closed', 'sale', body, key);
    },
  },
];

/** What cards are taken for. */
export const cards: Sentence[] = [
  {
    name: 'declines',
    says: 'The test cards are declined with their codes, and so is what is no card any more.',
    hold: async ({ till }) => {
      const { card, sale, charge } = till.bodies;
      for (const [name, code] of [
        ['declined', 'do_not_honor'],
        ['insufficientFunds', 'insufficient_funds'],
      ] as const) {
        const { answer } = await till.decided('tokenize', card(name));
        if (answer['outcome'] === 'declined') {
          must(answer['declineCode'] === code, `the card ${name} was declined ${String(answer['declineCode'])}`);
          continue;
        }
        const token = String(answer['token']);
        await till.declinedWith(code, 'sale', sale(token, till.amount));
        await till.declinedWith(code, 'authorize', charge(token, till.amount));
      }
      await till.declinedWith('invalid_number', 'tokenize', { ...card(), number: '4242424242424241' });
      await till.declinedWith('expired_card', 'tokenize', { ...card(), expirationYear: 2020 });
    },
  },
  {
    name: 'saved-token',
    says: 'A saved token is charged again and again.',
    hold: async ({ till }) => {
      const token = await till.tokenOf({ use: 'saved' });
      for (let time = 0; time < 3; time++) await till.approved('sale', till.bodies.sale(token, till.part));
    },
  },
  {
    name: 'single-use',
    says: 'A token for once is good for one charge.',
    hold: async ({ till }) => {
      const { sale, charge } = till.bodies;
      for (const first of ['sale', 'authorize'] as const) {
        const token = await till.tokenOf({ use: 'once' });
        await till.approved(first, first === 'sale' ? sale(token, till.amount) : charge(token, till.amount));
        await till.declinedWith('token_spent', 'sale', sale(token, till.amount));
        await till.declinedWith('token_spent', 'authorize', charge(token, till.amount));
      }
    },
  },
  {
    name: 'card-present',
    says: 'A card at a terminal is charged once where the capabilities say so, and refused where they do not.',
    hold: async ({ till, capabilities: { cardPresent } }) => {
      const { number, expirationMonth, expirationYear } = till.bodies.card();
      const read = { entryMode: 'CONTACTLESS', emv: { '9F26': '0123456789ABCDEF' } };
      const tapped: Json = { number, expirationMonth, expirationYear, use: 'once', ...read };
      if (!cardPresent) {
        const { body } = await till.send('tokenize', tapped);
        must(body['error'] === 'refused', `it was answered ${JSON.stringify(body)}`);
        return;
      }
      const token = String((await till.approved('tokenize', tapped)).answer['token']);
      await till.approved('sale', till.bodies.sale(token, till.amount));
      await till.declinedWith('token_spent', 'sale', till.bodies.sale(token, till.amount));
    },
  },
];

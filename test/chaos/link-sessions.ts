import { newId } from '@cobro/contracts/ids.ts';
import { approvedCard, declinedCard } from '@cobro/testing/card-numbers.ts';
import { payer } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import type { Answer, Client } from './client.ts';
import { microseconds, type Part } from './history.ts';
import { any, chance, type Floor, insist, type Session, soon } from './shop.ts';

let cards = 0;
/** A new card each time, because attempts with one card are limited. */
export function newNumber(floor: Floor, isApproved: boolean): string {
  const number = (isApproved ? approvedCard : declinedCard)(++cards);
  floor.numbers.add(number);
  return number;
}

const bodyOf = (floor: Floor, isApproved: boolean) => ({
  card: cardBody(newNumber(floor, isApproved)),
  billingInformation: payer,
});

/** A one-time payment that several clients pay, cancel and refund at once. */
export const oneTime: Session = async (floor, { apiKey: key }, [one, other, third]) => {
  const body = { amount: 90, description: 'Café', externalId: `chaos-${newId()}` };
  const since = microseconds();
  const made = await insist(6, () => one.send({ path: '/one-time-payment', key, body }));
  if (made.status !== 201) return;
  const id = String(made.body['id']);
  const part: Part = { model: 'link', part: id };
  floor.expiring.push({ part, since, made: microseconds() });
  const pay = (client: Client) =>
    client.call(part, 'pay', {}, { path: `/one-time-payment/${id}/payment`, body: bodyOf(floor, chance(0.8)) });
  const read = (client: Client) => client.call(part, 'read', {}, { method: 'GET', path: `/one-time-payment/${id}` });
  const cancel = (client: Client) =>
    client.call(part, 'cancel', {}, { method: 'PATCH', path: `/one-time-payment/${id}/cancel`, key });
  const refund = (client: Client) =>
    client.call(part, 'refund', {}, { path: `/one-time-payment/${id}/refund`, key, body: {} });
  await Promise.all([
    pay(one),
    chance(0.5) && soon(100).then(() => pay(other)),
    chance(0.3) && soon(200).then(() => cancel(third)),
    soon(300).then(() => read(third)),
  ]);
  await Promise.all([read(one), chance(0.5) && pay(other), chance(0.3) && cancel(third)]);
  if (chance(0.5)) {
    await Promise.all([refund(one), chance(0.5) && refund(other), read(third)]);
    if (chance(0.5)) await refund(third);
  }
  await read(any([one, other, third]));
};

/** A payment link that takes few payments, and more payers than that. */
export const fewPayments: Session = async (floor, { apiKey: key }, clients) => {
  const most = any([1, 2, 4]);
  const begun = microseconds();
  const body = { amount: 120, description: 'Clase', maxPayments: most, externalId: `chaos-${newId()}` };
  const made = await insist(6, () => clients[0].send({ path: '/payment-link', key, body }));
  if (made.status !== 201) return;
  const id = String(made.body['id']);
  const part: Part = { model: 'counter', part: `payment link ${id}` };
  floor.history.made(part, most, begun);
  const read = async (client: Client) => {
    const answer = await client.send({ method: 'GET', path: `/payment-link/${id}`, key });
    client.note(part, 'read', {}, answer, { amount: most - Number(answer.body['paymentsCount'] ?? 0) });
  };
  await payAll(floor, { part, id, amount: 120, times: most + 3 }, clients, read);
};

/** A product with few units left, sold by a payment link. Some units come and go. */
export const fewUnits: Session = async (floor, { apiKey: key }, clients) => {
  const stock = any([1, 2, 3]);
  const begun = microseconds();
  const body = { name: 'Talavera', price: 120, stock, externalId: `chaos-${newId()}` };
  const product = await insist(6, () => clients[0].send({ path: '/product', key, body }));
  if (product.status !== 201) return;
  const productId = String(product.body['id']);
  const link = await insist(6, () =>
    clients[0].send({ path: '/payment-link', key, body: { productId, externalId: `chaos-${newId()}` } }),
  );
  if (link.status !== 201) return;
  const part: Part = { model: 'counter', part: `product ${productId}` };
  floor.history.made(part, stock, begun);
  const stockOf = ({ body: shown }: Answer) => ({ amount: Number(shown['stock']) });
  const read = async (client: Client) => {
    const answer = await client.send({ method: 'GET', path: `/product/${productId}`, key });
    client.note(part, 'read', {}, answer, stockOf(answer));
  };
  const change = async (client: Client) => {
    const [amount, externalId] = [any([-1, 1, 2]), newId()];
    await insist(3, async () => {
      const answer = await client.send({
        path: `/product/${productId}/stock`,
        key,
        body: { change: amount, externalId },
      });
      client.note(part, 'change', { id: externalId, amount }, answer, stockOf(answer));
      return answer;
    });
  };
  await Promise.all([
    payAll(floor, { part, id: String(link.body['id']), amount: 120, times: stock + 3 }, clients, read),
    soon(300).then(() => change(clients[2])),
  ]);
};

interface Sale {
  part: Part;
  /** The payment link's id. */
  id: string;
  amount: number;
  times: number;
}

async function payAll(
  floor: Floor,
  sale: Sale,
  clients: readonly [Client, Client, Client],
  read: (client: Client) => Promise<void>,
): Promise<void> {
  for (let paid = 0; paid < sale.times; paid += clients.length) {
    await Promise.all(clients.map((client) => soon(60).then(() => payLink(floor, sale, client))));
    await Promise.all([read(clients[0]), read(clients[1])]);
  }
}

/** An attempt, repeated while its outcome is not known. A declined one held a unit for a while, so it is recorded as two moments. */
async function payLink(floor: Floor, { part, id, amount }: Sale, client: Client): Promise<void> {
  const attemptId = newId();
  const body = { attemptId, amount, ...bodyOf(floor, chance(0.75)) };
  await insist(3, async () => {
    const answer = await client.send({ path: `/payment-link/${id}/payment`, body });
    client.note(part, 'take', { id: attemptId }, answer);
    if (answer.end === null || answer.code === 'CHARGE_DECLINED')
      client.note(part, 'giveBack', { id: attemptId }, answer);
    return answer;
  });
}

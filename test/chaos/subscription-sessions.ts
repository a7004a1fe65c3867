import { newId } from '@cobro/contracts/ids.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { DAY } from '../model/days.ts';
import { type Answer, centavosOf, type Client, type Request } from './client.ts';
import type { Known, Part } from './history.ts';
import { any, chance, type Floor, insist, nowOf, type Session, type Shop, soon, type Subscribed } from './shop.ts';

/** The most sessions of one subscription, because a long history takes long to judge. */
const MOST_SESSIONS = 5;

/** A new subscription, or an earlier one that a jump of the clock may have renewed, used by several clients at once. */
export const subscribed: Session = async (floor, shop, clients) => {
  const one = (chance(0.5) ? any(shop.subscriptions) : undefined) ?? (await subscribe(floor, shop, clients));
  if (one === undefined) return;
  if (++one.sessions === MOST_SESSIONS) shop.subscriptions.splice(shop.subscriptions.indexOf(one), 1);
  for (let round = 0; round < 2; round++) {
    await Promise.all(clients.map((client) => soon(300).then(() => any(one.isCalm ? calm : restless)(one, client))));
    await Promise.all([read(one, clients[0]), readPeriods(one, clients[1])]);
  }
};

/** Weekly, from today or from a day that the next jump of the clock passes. Undefined if no answer shows it. */
async function subscribe(
  floor: Floor,
  shop: Shop,
  [one, other]: Parameters<Session>[2],
): Promise<Subscribed | undefined> {
  const { apiKey: key, card, declining } = shop;
  const externalId = `chaos-${newId()}`;
  const part: Part = { model: 'subscription', part: externalId };
  const inDays = any([0, 0, 1, 3, 5]);
  const declines = chance(0.15);
  const firstBillingDate = dayInMexicoCity(new Date(nowOf(floor) + inDays * DAY));
  floor.firstDays.set(externalId, firstBillingDate);
  const paymentMethodId = declines ? declining : card;
  const create = (client: Client, amount = 19_900) => {
    const body = { paymentMethodId, amount: amount / 100, periodicity: 'WEEKLY', firstBillingDate, externalId };
    const known = { amount, declines, number: inDays === 0 ? 1 : 0 };
    return client.call(part, 'create', known, { path: '/subscription', key, body });
  };
  const answers = await Promise.all([
    insist(6, () => create(one)),
    chance(0.3) ? soon(80).then(() => insist(6, () => create(other))) : undefined,
    chance(0.1) ? soon(300).then(() => create(other, 9_900)) : undefined,
  ]);
  const made = answers.find((answer) => answer?.status === 201 || answer?.status === 202);
  if (made === undefined) return undefined;
  const subscription = {
    part,
    id: String(made.body['id']),
    key,
    cards: { card, declining },
    isCalm: chance(0.5),
    sessions: 0,
  };
  shop.subscriptions.push(subscription);
  floor.subscriptions.push(subscription);
  return subscription;
}

type Act = (one: Subscribed, client: Client) => Promise<unknown>;

const ask = ({ part, id, key }: Subscribed, client: Client, op: string, known: Known, request: Partial<Request>) =>
  client.call(part, op, known, { path: `/subscription/${id}/${op}`, key, ...request });

const pause: Act = (one, client) => ask(one, client, 'pause', {}, { body: {} });
const resume: Act = (one, client) => ask(one, client, 'resume', {}, { body: {} });
const cancelling =
  (atEnd: boolean): Act =>
  (one, client) =>
    ask(one, client, 'cancel', { atEnd }, { body: { atPeriodEnd: atEnd } });

const change: Act = (one, client) => {
  const declines = chance(0.3);
  const body = { paymentMethodId: declines ? one.cards.declining : one.cards.card };
  return ask(one, client, 'change', { declines }, { method: 'PATCH', path: `/subscription/${one.id}`, body });
};

/** The charge may happen anywhere within the request, so it is recorded as two moments. */
const collect: Act = async ({ part, id, key }, client) => {
  const known = { number: any([1, 1, 2, 2, 3]) };
  const answer = await client.send({ path: `/subscription/${id}/period/${known.number}/charge`, key, body: {} });
  const out = { id: answer.body['id'] as string | undefined };
  client.note(part, 'collect', known, answer, out);
  if (answer.status === 201 || answer.code === 'CHARGE_DECLINED') client.note(part, 'collected', known, answer, out);
};

/** Resolves with the subscription as its merchant sees it. */
export const read = (one: Subscribed, client: Client): Promise<Answer> =>
  ask(one, client, 'read', {}, { method: 'GET', path: `/subscription/${one.id}` });

interface ShownPeriod {
  number: number;
  status: string;
  amount: number;
  declines: number;
  paymentId: string | null;
}

export async function readPeriods({ part, id, key }: Subscribed, client: Client): Promise<ShownPeriod[]> {
  const answer = await client.send({ method: 'GET', path: `/subscription/${id}/period?pageSize=100`, key });
  const items = (answer.body['items'] ?? []) as ShownPeriod[];
  const periods = items.map(({ number, status, amount, paymentId }) => ({
    number,
    status,
    amount: centavosOf(amount),
    id: paymentId ?? undefined,
  }));
  client.note(part, 'periods', {}, answer, { periods });
  return items;
}

/** After an end there is nothing to do, so it is mostly a read. */
const rarely =
  (act: Act): Act =>
  (one, client) =>
    (chance(0.3) ? act : read)(one, client);

/** These acts neither end a subscription nor leave out a period. */
const calm: readonly Act[] = [read, readPeriods, collect, collect, change];
const restless: readonly Act[] = [
  ...calm,
  ...calm,
  pause,
  pause,
  pause,
  resume,
  resume,
  rarely(cancelling(true)),
  rarely(cancelling(false)),
];

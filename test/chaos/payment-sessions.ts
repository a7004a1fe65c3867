import { newId } from '@cobro/contracts/ids.ts';
import { windowEnd } from '../model/model.ts';
import type { Answer, Client } from './client.ts';
import type { Part } from './history.ts';
import { any, chance, insist, nowOf, type Session, type Shop, soon } from './shop.ts';

interface Case {
  shop: Shop;
  part: Part;
  id: string;
}

/** A charge or a hold that two clients may send at once under one externalId, and then all that several clients can do with it. */
export const payOnce: Session = async (floor, shop, [one, other, third]) => {
  const isHold = chance(0.6);
  const externalId = `chaos-${newId()}`;
  const part: Part = { model: 'payment', part: externalId };
  const centavos = any([1, 99, 10_000, 25_050]);
  const charge = (client: Client, amount = centavos) =>
    client.call(
      part,
      'charge',
      { amount, hold: isHold },
      {
        path: `/payment-method/${shop.card}/payment`,
        key: shop.apiKey,
        body: { amount: amount / 100, holdFunds: isHold, externalId },
      },
    );
  const answers = await Promise.all([
    insist(6, () => charge(one)),
    chance(0.4) ? soon(80).then(() => insist(6, () => charge(other))) : undefined,
  ]);
  const made = answers.find((answer) => answer?.status === 201);
  const id = made?.body['id'] as string | undefined;
  if (made === undefined || id === undefined) return;
  floor.answered.add(id);
  if (isHold) floor.windows.set(externalId, windowEnd(String(made.body['heldAt'])));
  const about = { shop, part, id };
  if (chance(0.05)) await charge(third, centavos + 1);
  if (isHold) await endHold(about, [one, other, third], centavos);
  else await Promise.all([read(about, one), soon().then(() => read(about, other))]);
  if (chance(0.4)) {
    await Promise.all([refund(about, one), chance(0.5) && refund(about, other), read(about, third)]);
    if (chance(0.5)) await refund(about, third);
  }
  await read(about, any([one, other, third]));
  if (chance(0.3)) await Promise.all([readLater(about, one), soon().then(() => readLater(about, third))]);
};

/** A hold that nobody ends until the clock may have reached the end of its window. */
export const holdOn: Session = async (floor, shop, clients) => {
  const [one] = clients;
  const externalId = `chaos-${newId()}`;
  const part: Part = { model: 'payment', part: externalId };
  const made = await insist(6, () =>
    one.call(
      part,
      'charge',
      { amount: 5_000, hold: true },
      {
        path: `/payment-method/${shop.card}/payment`,
        key: shop.apiKey,
        body: { amount: 50, holdFunds: true, externalId },
      },
    ),
  );
  const id = made.body['id'] as string | undefined;
  if (made.status !== 201 || id === undefined) return;
  floor.answered.add(id);
  const ends = windowEnd(String(made.body['heldAt']));
  floor.windows.set(externalId, ends);
  const about = { shop, part, id };
  for (let look = 0; look < 12 && nowOf(floor) < ends; look++) {
    await soon(4_000);
    await read(about, any(clients));
  }
  await Promise.all([act(about, any(clients), any(['capture', 'capture', 'release']), 0), read(about, any(clients))]);
  for (let look = 0; look < 3; look++) {
    await soon(4_000);
    await read(about, any(clients));
  }
};

async function endHold(about: Case, clients: readonly [Client, Client, Client], centavos: number): Promise<void> {
  const [one, other, third] = clients;
  if (chance(0.3)) await soon(2_000);
  const ends = ['capture', 'capture', 'release'] as const;
  await Promise.all([
    insist(3, () => act(about, one, any(ends), any([0, 1, centavos]))),
    chance(0.6) && soon(any([15, 150])).then(() => act(about, other, any(ends), any([0, centavos, centavos + 1]))),
    soon(300).then(() => read(about, third)),
  ]);
  await Promise.all([read(about, one), read(about, other)]);
}

/** An amount of 0 captures all that is held. */
function act({ shop, part, id }: Case, client: Client, op: 'capture' | 'release', amount: number): Promise<Answer> {
  return client.call(
    part,
    op,
    { amount: op === 'capture' ? amount : 0 },
    {
      path: `/payment-method/${shop.card}/payment/${id}/${op}`,
      key: shop.apiKey,
      ...(op === 'capture' && amount > 0 && { body: { amount: amount / 100 } }),
    },
  );
}

async function refund({ shop, part, id }: Case, client: Client): Promise<void> {
  await client.call(
    part,
    'refund',
    {},
    {
      path: `/payment-method/${shop.card}/payment/${id}/refund`,
      key: shop.apiKey,
      body: { reason: 'returned' },
    },
  );
}

const read = ({ shop, part, id }: Case, client: Client): Promise<Answer> =>
  client.call(
    part,
    'read',
    {},
    { method: 'GET', path: `/payment-method/${shop.card}/payment/${id}`, key: shop.apiKey },
  );

const readLater = ({ shop, id }: Pick<Case, 'shop' | 'id'>, client: Client): Promise<Answer> =>
  client.call(
    { model: 'developer', part: id },
    'read',
    {},
    { method: 'GET', path: `/developer/v1/payment/${id}`, key: shop.apiKey },
  );

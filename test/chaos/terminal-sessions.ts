import { newId } from '@cobro/contracts/ids.ts';
import { tappedCardBody } from '@cobro/testing/test-intents.ts';
import type { Client } from './client.ts';
import { microseconds, type Part } from './history.ts';
import { newNumber } from './link-sessions.ts';
import { any, chance, insist, type Session, soon } from './shop.ts';

/** One terminal through a few intents: created, superseded, cancelled and read by tills, taken, paid and declined at the terminal. */
export const atTerminal: Session = async (floor, shop, [till, other, device]) => {
  const terminal = shop.terminals.pop();
  if (terminal === undefined) return;
  const { apiKey: key } = shop;
  const part: Part = { model: 'terminal', part: terminal.code };
  floor.expiring.push({ part, since: microseconds(), made: microseconds() });
  const ids = new Map<string, string>();
  const create = async (client: Client) => {
    const externalId = newId();
    const body = { amount: 75, currency: 'MXN', externalId, terminalCode: terminal.code };
    const made = await insist(4, () =>
      client.call(part, 'create', { id: externalId }, { path: '/payment-intent', key, body }),
    );
    if (made.status === 201) ids.set(String(made.body['id']), externalId);
  };
  const anIntent = () => any([...ids]) as [string, string] | undefined;
  const about = async (client: Client, op: 'read' | 'cancel') => {
    const intent = anIntent();
    if (intent === undefined) return;
    const path = `/payment-intent/${intent[0]}${op === 'cancel' ? '/cancel' : ''}`;
    await client.call(
      part,
      op,
      { id: intent[1] },
      { path, key, ...(op === 'cancel' ? { body: {} } : { method: 'GET' }) },
    );
  };
  const next = async () => {
    const path = '/terminal/v1/payment-intent/next?waitSeconds=0';
    const answer = await device.send({ method: 'GET', path, terminalKey: terminal.key });
    device.note(part, 'next', {}, answer, { id: answer.body['externalId'] as string | undefined });
    return answer.status === 200 ? String(answer.body['id']) : undefined;
  };
  const tap = async (intent: string, client: Client) => {
    const known = { id: ids.get(intent) };
    if (known.id === undefined) return;
    const path = `/terminal/v1/payment-intent/${intent}`;
    if (chance(0.1))
      return void (await client.call(part, 'decline', known, {
        path: `${path}/decline`,
        terminalKey: terminal.key,
        body: {},
      }));
    const body = { attemptId: newId(), card: tappedCardBody(newNumber(floor, chance(0.75))) };
    const answer = await client.send({ path: `${path}/payment`, terminalKey: terminal.key, body });
    client.note(part, 'tap', known, answer);
    const isCharged = answer.end === null || answer.status === 201 || answer.status === 402;
    if (isCharged) client.note(part, 'outcome', known, answer);
  };
  for (let round = 0; round < 6; round++) {
    await Promise.all([create(till), chance(0.3) && soon(60).then(() => create(other))]);
    const intent = await next();
    await Promise.all([
      intent !== undefined && tap(intent, device),
      soon(120).then(() => about(other, 'read')),
      chance(0.3) && soon(120).then(() => about(till, 'cancel')),
      chance(0.2) && soon(120).then(() => create(till)),
    ]);
    await Promise.all([about(till, 'read'), about(other, 'read'), next()]);
  }
};

import { type Client, type Line } from './client.ts';
import { microseconds, type Part } from './history.ts';
import { fewPayments, fewUnits, oneTime } from './link-sessions.ts';
import { holdOn, payOnce } from './payment-sessions.ts';
import { any, type Floor, type Session, type Shop, soon } from './shop.ts';
import { subscribed } from './subscription-sessions.ts';
import { atTerminal } from './terminal-sessions.ts';

const OTHER: Part = { model: 'other', part: 'lists' };

const listsOfRelease01 = [
  '/payment-method?pageSize=5',
  '/one-time-payment?pageSize=5',
  '/developer/v1/payment?limit=20',
];
const lists = [
  ...listsOfRelease01,
  '/payment-intent?pageSize=5',
  '/payment-link?pageSize=5',
  '/subscription?pageSize=5',
  '/event?limit=20',
];

const browse =
  (paths: readonly string[]): Session =>
  async (_floor, { apiKey: key, card }, [client]) => {
    for (const path of [`/payment-method/${card}/payment?pageSize=5`, ...paths])
      await client.call(OTHER, 'list', {}, { method: 'GET', path, key });
  };

/** Sessions with their weights in the draw. */
type Weights = readonly [Session, number][];

const sold: Weights = [
  [payOnce, 8],
  [holdOn, 2],
  [oneTime, 2],
  [atTerminal, 2],
];
export const ofRelease01: Weights = [...sold, [browse(listsOfRelease01), 1]];
const ofToday: Weights = [...sold, [fewPayments, 1], [fewUnits, 1], [subscribed, 5], [browse(lists), 1]];

/** Each till runs sessions one after the other until `stop`, which waits for those under way. */
export function startLoad(
  floor: Floor,
  line: Line,
  shops: Shop[],
  tills: number,
  sessions = ofToday,
): { stop(): Promise<void> } {
  const drawn = sessions.flatMap(([session, weight]) => Array.from({ length: weight }, () => session));
  const stopping = new AbortController();
  const till = async (n: number) => {
    const clients = [3 * n + 1, 3 * n + 2, 3 * n + 3].map(line.client) as [Client, Client, Client];
    while (!stopping.signal.aborted) {
      await any(drawn)(floor, any(shops), clients);
      await soon(100);
    }
  };
  const running = Array.from({ length: tills }, (_, n) => till(n));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

const BUDGET = 120;
/** Well within the budget's minute, also on a slow machine. */
const SPENT_WITHIN_MS = 40_000;

/** Sends more requests than a key may within a minute, at once to both gateways: exactly the documented number must be answered. */
export async function spendBudget({ history }: Floor, line: Line, apiKey: string): Promise<void> {
  const part: Part = { model: 'counter', part: `budget of a key at ${microseconds()}` };
  const begun = microseconds();
  history.made(part, BUDGET, begun);
  let asked = 0;
  const ask = async (client: Client) => {
    while (asked++ < BUDGET + 30 && microseconds() - begun < SPENT_WITHIN_MS * 1_000) {
      const answer = await client.send({ method: 'GET', path: '/developer/v1/payment?limit=1', key: apiKey });
      client.note(part, 'spend', {}, answer, {});
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, n) => ask(line.client(n + 1))));
}

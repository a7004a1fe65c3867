import { setTimeout as sleep } from 'node:timers/promises';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { dayStart } from '@cobro/domain/mexico-city.ts';
import { DAY } from '../model/days.ts';
import type { Client } from './client.ts';
import type { History, Known, Part } from './history.ts';
import { microseconds } from './history.ts';

/** A subscription that later sessions use again. */
export interface Subscribed {
  part: Part;
  id: string;
  key: string;
  cards: { card: string; declining: string };
  /** True if no session ends or pauses it. */
  isCalm: boolean;
  sessions: number;
}

/** An organization with a key, saved cards, and terminals nobody has used yet. */
export interface Shop {
  apiKey: string;
  card: string;
  /** A card that the acquirer declines. */
  declining: string;
  subscriptions: Subscribed[];
  terminals: { code: string; key: string }[];
}

/** What sessions share, and what the balance and the clock need to know of them. */
export interface Floor {
  history: History;
  /** Ids of payments that a successful answer has named. */
  answered: Set<string>;
  /** Ends of hold windows, in milliseconds of business time, by their parts. */
  windows: Map<string, number>;
  /** Parts that a jump of the clock expires, with the beginning and end of their creation. */
  expiring: { part: Part; since: number; made: number }[];
  /** Every subscription. `firstDays` also has those whose creation may have failed, by externalId. */
  subscriptions: Subscribed[];
  firstDays: Map<string, string>;
  jumps: Jump[];
  /** Card numbers that were sent. */
  numbers: Set<string>;
}

export const newFloor = (history: History): Floor => ({
  history,
  answered: new Set(),
  windows: new Map(),
  expiring: [],
  subscriptions: [],
  firstDays: new Map(),
  jumps: [],
  numbers: new Set(Object.values(testCards)),
});

/** A jump of the business clock, in microseconds, and its offset since then. */
export interface Jump {
  start: number;
  end: number;
  offsetMs: number;
}

export type Session = (floor: Floor, shop: Shop, clients: readonly [Client, Client, Client]) => Promise<void>;

export const any = <T>(choices: readonly T[]): T => choices[Math.floor(Math.random() * choices.length)] as T;
export const chance = (share: number): boolean => Math.random() < share;
export const soon = (ms = 400): Promise<void> => sleep(Math.random() * ms);

/** Repeats a request, as a careful caller does, until its outcome is known, `times` at most. */
export async function insist<T extends { end: number | null }>(times: number, ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const answer = await ask();
    if (answer.end !== null || tries >= times) return answer;
    await sleep(300 * tries);
  }
}

/** Business time, in milliseconds. */
export const nowOf = ({ jumps }: Floor): number => Date.now() + (jumps.at(-1)?.offsetMs ?? 0);

/** Processes read the clock a little before they answer. */
const AROUND = 1_500_000;

/** Records for each part that depends on time when that time came. Call it once, after the load. */
export function noteTimes(floor: Floor): void {
  const { history, windows, expiring, jumps } = floor;
  const note = (part: Part, op: string, start: number, end: number | null, known: Known = {}) =>
    history.note({ ...part, client: 0, op, in: known, start, end, answer: '200', out: {} });
  for (const [part, end] of windows) {
    const wall = wallOf(end, jumps);
    if (wall !== undefined) note({ model: 'payment', part }, 'windowEnds', wall.from - AROUND, wall.to + AROUND);
  }
  for (const externalId of floor.firstDays.keys())
    for (const [n, { from, to }] of beginnings(floor, externalId).entries()) {
      const part: Part = { model: 'subscription', part: externalId };
      const [first, last] = [Math.max(0, from - AROUND), to + AROUND];
      note(part, 'mayBegin', first, first, { number: n + 1 });
      note(part, 'begun', last, last, { number: n + 1 });
    }
  for (const { part, since, made } of expiring)
    for (const { start, end } of jumps) {
      // A part created during a jump may date from before or after it.
      if (start > made) note(part, 'clock', start, end);
      else if (end > since) note(part, 'clock', start, null);
    }
}

/** When the periods of a weekly subscription have begun so far, in microseconds. */
export function beginnings({ firstDays, jumps }: Floor, part: string): Wall[] {
  const first = dayStart(firstDays.get(part) ?? '').getTime();
  const begun: Wall[] = [];
  for (let wall = wallOf(first, jumps); wall !== undefined; wall = wallOf(first + 7 * DAY * begun.length, jumps))
    begun.push(wall);
  return begun;
}

interface Wall {
  from: number;
  to: number;
}

/** When business time reached this moment, in microseconds (0: before the run); undefined if it has not yet. */
function wallOf(business: number, jumps: readonly Jump[]): Wall | undefined {
  const toWall = (offsetMs: number) => microseconds() + (business - offsetMs - Date.now()) * 1_000;
  const all = [{ start: 0, end: 0, offsetMs: 0 }, ...jumps];
  for (const [n, { start, end, offsetMs }] of all.entries()) {
    const at = toWall(offsetMs);
    if (at < start) return { from: start, to: end };
    const next = all[n + 1]?.start ?? microseconds();
    if (at < next) return { from: at, to: at };
  }
  return undefined;
}

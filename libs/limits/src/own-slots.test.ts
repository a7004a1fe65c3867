import { beforeEach, describe, expect, test } from '@jest/globals';
import { createOwnSlots, type OwnSlots } from './own-slots.ts';

const WINDOW_MS = 600_000;
let at: number;
let slots: OwnSlots;
let ids = 0;

beforeEach(() => {
  at = 0;
  slots = createOwnSlots({ windowMs: WINDOW_MS, most: 4, now: () => at });
});

const limitsOf = (card: string, link: string) => [
  { key: card, most: 2 },
  { key: link, most: 3 },
];
const reserve = (card: string, link: string) => slots.reserve(`slot ${++ids}`, limitsOf(card, link));

describe('the slots of one process', () => {
  test('are as many as the limit of each key allows', () => {
    expect([reserve('card 1', 'link'), reserve('card 1', 'link')]).toEqual([undefined, undefined]);
    expect(reserve('card 1', 'link')).toEqual({ index: 0, waitMs: WINDOW_MS });
    expect(reserve('card 2', 'link')).toBeUndefined();
    expect(reserve('card 3', 'link')).toEqual({ index: 1, waitMs: WINDOW_MS });
  });

  test('are taken under all keys or under none', () => {
    reserve('card 1', 'link 1');
    reserve('card 1', 'link 1');
    for (let i = 0; i < 5; i++) expect(reserve('card 1', 'link 2')?.index).toBe(0);
    expect([reserve('card 2', 'link 2'), reserve('card 2', 'link 2'), reserve('card 3', 'link 2')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('run out one by one, each after its own time', () => {
    reserve('card', 'link');
    at += 1_000;
    reserve('card', 'link');
    at += 1_000;
    expect(reserve('card', 'link')).toEqual({ index: 0, waitMs: WINDOW_MS - 2_000 });
    at = WINDOW_MS - 1;
    expect(reserve('card', 'link')).toEqual({ index: 0, waitMs: 1 });
    at = WINDOW_MS;
    expect(reserve('card', 'link')).toBeUndefined();
    expect(reserve('card', 'link')).toEqual({ index: 0, waitMs: 1_000 });
  });

  test('that are given back are free at once, also twice', () => {
    slots.reserve('a', limitsOf('card', 'link'));
    slots.reserve('b', limitsOf('card', 'link'));
    slots.free('a', limitsOf('card', 'link'));
    slots.free('a', limitsOf('card', 'link'));
    expect(reserve('card', 'link')).toBeUndefined();
    expect(reserve('card', 'link')).toEqual({ index: 0, waitMs: WINDOW_MS });
  });

  test('are one for one id, also where there is no room for another', () => {
    const again = () => slots.reserve('a', limitsOf('card', 'link'));
    expect([again(), again(), reserve('card', 'link'), again()]).toEqual([undefined, undefined, undefined, undefined]);
    expect(reserve('card', 'link')?.index).toBe(0);
    at = WINDOW_MS;
    expect([reserve('card', 'link'), reserve('card', 'link')]).toEqual([undefined, undefined]);
  });

  test('are remembered under so many keys: those that were still the longest are forgotten', () => {
    reserve('card 1', 'link 1');
    reserve('card 1', 'link 1');
    reserve('card 2', 'link 2');
    reserve('card 2', 'link 2');
    expect(reserve('card 1', 'link 3')?.index).toBe(0);
    reserve('card 3', 'link 2');
    expect(reserve('card 1', 'link 3')).toBeUndefined();
    expect(reserve('card 4', 'link 2')?.index).toBe(1);
  });
});

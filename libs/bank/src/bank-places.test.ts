import { describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { Refusal } from '@cobro/contracts/refusals.ts';
import { type BankPlaces, createBankPlaces, type PlaceRequest } from './bank-places.ts';

const CALL_TIMEOUT_MS = 8_000;
let isAway = false;
const open = () => {
  const bounds = { perCard: 2, perMerchant: 3, perService: 5 };
  return createBankPlaces({ ...bounds, callTimeoutMs: CALL_TIMEOUT_MS, bank: { isAway: () => isAway } });
};
const [merchant, other, third] = [newId(), newId(), newId()];
const of = (organizationId: string, cardId: string | null, externalId?: string): PlaceRequest => ({
  organizationId,
  cardId,
  externalId,
  deadline: performance.now() + 20_000,
});

/** A call that keeps its place until it ends; `place` is refused where it got none. */
function call(places: BankPlaces, request: PlaceRequest) {
  const [place, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const work = places.withPlace(request, () => {
    place.resolve();
    return ending.promise;
  });
  work.catch(place.reject);
  const end = (error?: Error) => {
    if (error === undefined) ending.resolve();
    else ending.reject(error);
    return work;
  };
  return { place: place.promise, end };
}

const NONE = '503 BANK_UNAVAILABLE, again after 1';
/** What each call gets, one after the other; those that get a place keep it. */
async function ask(places: BankPlaces, ...requests: PlaceRequest[]): Promise<string[]> {
  const told: string[] = [];
  for (const request of requests) {
    const refused = ({ status, code, extras }: Refusal) =>
      `${status} ${code}, again after ${extras.headers?.['Retry-After']}`;
    told.push(await call(places, request).place.then(() => 'a place', refused));
  }
  return told;
}

describe('calls to the bank', () => {
  test('of one card are bounded; another card of the merchant has room', async () => {
    const requests = [of(merchant, 'a'), of(merchant, 'a'), of(merchant, 'a'), of(merchant, 'b')];
    expect(await ask(open(), ...requests)).toEqual(['a place', 'a place', NONE, 'a place']);
  });

  test('of one merchant are bounded over all cards, and those being saved; another merchant has room', async () => {
    const places = open();
    await ask(places, of(merchant, 'a'), of(merchant, null), of(merchant, null));
    const requests = [of(merchant, 'b'), of(merchant, null), of(other, 'c')];
    expect(await ask(places, ...requests)).toEqual([NONE, NONE, 'a place']);
  });

  test('of all merchants are bounded', async () => {
    const places = open();
    await ask(places, of(merchant, 'a'), of(merchant, 'b'), of(other, 'c'), of(other, 'd'));
    const last = call(places, of(third, 'e'));
    expect(await ask(places, of(newId(), 'f'))).toEqual([NONE]);
    await last.end();
    expect(await ask(places, of(newId(), 'f'))).toEqual(['a place']);
  });

  test('give their place back however they end, and what was refused takes none', async () => {
    const places = open();
    for (let again = 0; again < 20; again++) {
      const [ends, fails] = [call(places, of(merchant, 'a')), call(places, of(merchant, 'a'))];
      expect(await ask(places, of(merchant, 'a'))).toEqual([NONE]);
      await ends.end();
      await expect(fails.end(new Error('the claim failed'))).rejects.toThrow('the claim failed');
    }
    expect(await ask(places, of(merchant, 'a'), of(merchant, 'a'))).toEqual(['a place', 'a place']);
  });

  test('with one externalId share a place, until the last of them has ended', async () => {
    const places = open();
    const [first, second] = [call(places, of(merchant, 'a', 'x')), call(places, of(merchant, 'a', 'x'))];
    await ask(places, of(merchant, 'a', 'y'));
    expect(await ask(places, of(merchant, 'a'), of(merchant, 'a', 'y'))).toEqual([NONE, 'a place']);
    await first.end();
    expect(await ask(places, of(merchant, 'a', 'z'))).toEqual([NONE]);
    await second.end();
    expect(await ask(places, of(merchant, 'a', 'z'), of(merchant, 'a', 'x'))).toEqual(['a place', NONE]);
  });

  test('about one payment share a place, because at most one of them calls the bank', async () => {
    const places = open();
    const about = (paymentId: string) => ({ ...of(merchant, 'a'), paymentId });
    expect(await ask(places, ...Array.from({ length: 50 }, () => about('x')))).toEqual(Array(50).fill('a place'));
    expect(await ask(places, about('y'), about('z'))).toEqual(['a place', NONE]);
  });

  test('with one externalId share none across cards, merchants, and charging and saving', async () => {
    const places = open();
    await ask(places, of(merchant, 'a', 'x'), of(merchant, 'b', 'x'), of(merchant, null, 'x'));
    await ask(places, of(other, 'c', 'x'), of(other, null, 'x'));
    expect(await ask(places, of(third, 'd', 'x'), of(other, null, 'x'))).toEqual([NONE, 'a place']);
  });

  test('are refused while the bank is away, also where the place was taken before, and take none', async () => {
    const places = open();
    const taken = places.withPlace(of(merchant, 'a'), async (place) => {
      isAway = true;
      expect(await ask(places, of(other, 'b'))).toEqual([NONE]);
      place.msToSpare();
    });
    await expect(taken).rejects.toMatchObject({ code: 'BANK_UNAVAILABLE' });
    isAway = false;
    expect(await ask(places, of(merchant, 'a'), of(merchant, 'a'))).toEqual(['a place', 'a place']);
  });

  test('need the time of a call and a second more, also when they claim later', async () => {
    const places = open();
    const left = (ms: number) => ({ ...of(merchant, 'a'), deadline: performance.now() + ms });
    expect(await ask(places, left(CALL_TIMEOUT_MS + 999))).toEqual([NONE]);
    expect(await ask(places, left(-1))).toEqual([NONE]);
    const enough = left(CALL_TIMEOUT_MS + 1_100);
    const late = places.withPlace(enough, async (place) => {
      place.msToSpare();
      while (performance.now() < enough.deadline - CALL_TIMEOUT_MS - 1_000) await new Promise(setImmediate);
      place.msToSpare();
    });
    await expect(late).rejects.toMatchObject({ code: 'BANK_UNAVAILABLE' });
    expect(await ask(places, of(merchant, 'a'), of(merchant, 'a'))).toEqual(['a place', 'a place']);
  });
});

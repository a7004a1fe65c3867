import { describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { Refusal } from '@cobro/contracts/refusals.ts';
import { acquirersOf } from './acquirers.ts';
import { type BankPermits, createBankPermits, type PermitRequest } from './bank-permits.ts';

const CALL_TIMEOUT_MS = 8_000;
let isAway = false;
const open = () => {
  const bounds = { perCard: 2, perMerchant: 3, perService: 5 };
  return createBankPermits({
    ...bounds,
    callTimeoutMs: CALL_TIMEOUT_MS,
    acquirers: acquirersOf({ default: { ...acquirersOf({}).of('none'), isAway: () => isAway } }),
  });
};
const [merchant, other, third] = [newId(), newId(), newId()];
const of = (organizationId: string, cardId: string | null, externalId?: string): PermitRequest => ({
  acquirer: 'default',
  organizationId,
  cardId,
  externalId,
  deadline: performance.now() + 20_000,
});

/** A call that keeps its permit until it ends; `permit` rejects if it got none. */
function call(permits: BankPermits, request: PermitRequest) {
  const [permit, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const work = permits.withPermit(request, () => {
    permit.resolve();
    return ending.promise;
  });
  work.catch(permit.reject);
  const end = (error?: Error) => {
    if (error === undefined) ending.resolve();
    else ending.reject(error);
    return work;
  };
  return { permit: permit.promise, end };
}

const NONE = '503 BANK_UNAVAILABLE, again after 1';
/** Makes the calls one after the other, and gives what each got. A call that gets a permit keeps it. */
async function ask(permits: BankPermits, ...requests: PermitRequest[]): Promise<string[]> {
  const answers: string[] = [];
  for (const request of requests) {
    const refused = ({ status, code, extras }: Refusal) =>
      `${status} ${code}, again after ${extras.headers?.['Retry-After']}`;
    answers.push(await call(permits, request).permit.then(() => 'a permit', refused));
  }
  return answers;
}

describe('calls to the bank', () => {
  test('of one card are bounded; another card of the merchant has room', async () => {
    const requests = [of(merchant, 'a'), of(merchant, 'a'), of(merchant, 'a'), of(merchant, 'b')];
    expect(await ask(open(), ...requests)).toEqual(['a permit', 'a permit', NONE, 'a permit']);
  });

  test('of one merchant are bounded over all cards, and those being saved; another merchant has room', async () => {
    const permits = open();
    await ask(permits, of(merchant, 'a'), of(merchant, null), of(merchant, null));
    const requests = [of(merchant, 'b'), of(merchant, null), of(other, 'c')];
    expect(await ask(permits, ...requests)).toEqual([NONE, NONE, 'a permit']);
  });

  test('of all merchants are bounded', async () => {
    const permits = open();
    await ask(permits, of(merchant, 'a'), of(merchant, 'b'), of(other, 'c'), of(other, 'd'));
    const last = call(permits, of(third, 'e'));
    expect(await ask(permits, of(newId(), 'f'))).toEqual([NONE]);
    await last.end();
    expect(await ask(permits, of(newId(), 'f'))).toEqual(['a permit']);
  });

  test('release their permit however they end, and what was refused acquires none', async () => {
    const permits = open();
    for (let again = 0; again < 20; again++) {
      const [ends, fails] = [call(permits, of(merchant, 'a')), call(permits, of(merchant, 'a'))];
      expect(await ask(permits, of(merchant, 'a'))).toEqual([NONE]);
      await ends.end();
      await expect(fails.end(new Error('the claim failed'))).rejects.toThrow('the claim failed');
    }
    expect(await ask(permits, of(merchant, 'a'), of(merchant, 'a'))).toEqual(['a permit', 'a permit']);
  });

  test('with one externalId share a permit, until the last of them has ended', async () => {
    const permits = open();
    const [first, second] = [call(permits, of(merchant, 'a', 'x')), call(permits, of(merchant, 'a', 'x'))];
    await ask(permits, of(merchant, 'a', 'y'));
    expect(await ask(permits, of(merchant, 'a'), of(merchant, 'a', 'y'))).toEqual([NONE, 'a permit']);
    await first.end();
    expect(await ask(permits, of(merchant, 'a', 'z'))).toEqual([NONE]);
    await second.end();
    expect(await ask(permits, of(merchant, 'a', 'z'), of(merchant, 'a', 'x'))).toEqual(['a permit', NONE]);
  });

  test('about one payment share a permit, because at most one of them calls the bank', async () => {
    const permits = open();
    const about = (paymentId: string) => ({ ...of(merchant, 'a'), paymentId });
    expect(await ask(permits, ...Array.from({ length: 50 }, () => about('x')))).toEqual(Array(50).fill('a permit'));
    expect(await ask(permits, about('y'), about('z'))).toEqual(['a permit', NONE]);
  });

  test('with one externalId share none across cards, merchants, and charging and saving', async () => {
    const permits = open();
    await ask(permits, of(merchant, 'a', 'x'), of(merchant, 'b', 'x'), of(merchant, null, 'x'));
    await ask(permits, of(other, 'c', 'x'), of(other, null, 'x'));
    expect(await ask(permits, of(third, 'd', 'x'), of(other, null, 'x'))).toEqual([NONE, 'a permit']);
  });

  test('are refused while the bank is away, also where the permit was acquired before, and acquire none', async () => {
    const permits = open();
    const taken = permits.withPermit(of(merchant, 'a'), async (permit) => {
      isAway = true;
      expect(await ask(permits, of(other, 'b'))).toEqual([NONE]);
      permit.msToSpare();
    });
    await expect(taken).rejects.toMatchObject({ code: 'BANK_UNAVAILABLE' });
    isAway = false;
    expect(await ask(permits, of(merchant, 'a'), of(merchant, 'a'))).toEqual(['a permit', 'a permit']);
  });

  test('need the time of a call and a second more, also when they claim later', async () => {
    const permits = open();
    const left = (ms: number) => ({ ...of(merchant, 'a'), deadline: performance.now() + ms });
    expect(await ask(permits, left(CALL_TIMEOUT_MS + 999))).toEqual([NONE]);
    expect(await ask(permits, left(-1))).toEqual([NONE]);
    const enough = left(CALL_TIMEOUT_MS + 1_100);
    const late = permits.withPermit(enough, async (permit) => {
      permit.msToSpare();
      while (performance.now() < enough.deadline - CALL_TIMEOUT_MS - 1_000) await new Promise(setImmediate);
      permit.msToSpare();
    });
    await expect(late).rejects.toMatchObject({ code: 'BANK_UNAVAILABLE' });
    expect(await ask(permits, of(merchant, 'a'), of(merchant, 'a'))).toEqual(['a permit', 'a permit']);
  });
});

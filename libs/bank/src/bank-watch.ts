import type { Bank } from './bank.ts';

const ONCE_IN_MS = 10_000;

/**
 * The same bank, with an ear on its answers. The first answer after a call that got none calls `onReturn`, at most once in 10 s,
 * because a bank may be silent for some cards and answer for all others.
 */
export function watchBank(bank: Bank, onReturn: () => void): Bank {
  let wasSilent = false;
  let calledAt = Number.NEGATIVE_INFINITY;
  const heard = (outcome: string) => {
    if (outcome === 'unknown' || outcome === 'unreachable') {
      wasSilent = true;
      return;
    }
    if (!wasSilent || performance.now() - calledAt < ONCE_IN_MS) return;
    wasSilent = false;
    calledAt = performance.now();
    onReturn();
  };
  return {
    ...bank,
    send: async (key, request, deadline, lane) => {
      const answer = await bank.send(key, request, deadline, lane);
      heard(answer.outcome);
      return answer;
    },
    inquire: async (key, kind, close) => {
      const answer = await bank.inquire(key, kind, close);
      heard(answer.outcome);
      return answer;
    },
  };
}

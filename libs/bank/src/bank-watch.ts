import type { Capabilities } from '@cobro/contracts/acquirer/capabilities.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { histogram } from '@cobro/metrics/instruments.ts';
import type { Bank, BankAnswer, BankRequest, InquiryAnswer, Lane } from './bank.ts';
import { createLiveCalls } from './live-calls.ts';
import { watchOffers } from './offers.ts';

/** Who calls the bank. `organizationId` is null if the call says nothing about whether the bank is silent for everybody. */
export interface BankCaller {
  lane: Lane;
  organizationId: string | null;
}

/**
 * The bank, with a watch on its answers. It is *away* when it refuses connections, or has answered nobody for 3 s while three
 * merchants or more asked it (a renewal counts as its merchant): one silent card or merchant is not enough. Then it is probed
 * each second, and any answer ends that.
 */
export interface WatchedBank extends Omit<Bank, 'send' | 'capabilities'> {
  send(key: string, request: BankRequest, deadline: number, caller: BankCaller): Promise<BankAnswer>;
  isAway(): boolean;
  /** The bank's last capabilities. Undefined until it has sent them. */
  offers(): Capabilities | undefined;
  /** Whether the first reading of the bank's capabilities has ended, with or without an answer. */
  wasAskedForOffers(): boolean;
  /** Whether requests have called the bank five times or more in the last five seconds. */
  isCalledLive(): boolean;
  /**
   * Calls the listener at the first answer after a call that got none, at most once in 10 s, because a bank may be silent for some
   * cards and answer for all others.
   */
  onReturn(listener: () => void): void;
}

interface WatchLog {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

const MERCHANTS = 3;
const SILENCE_MS = 3_000;
const PROBE_EVERY_MS = 1_000;
const RETURN_ONCE_IN_MS = 10_000;

export interface WatchOptions {
  /** The acquirer's name. */
  acquirer: string;
  /** Whether this deployment charges real cards. An acquirer that says otherwise is not used. */
  isLive: boolean;
  log: WatchLog;
}

export function watchBank(bank: Bank, { acquirer, isLive, log }: WatchOptions): WatchedBank {
  const returns = createReturns();
  const live = createLiveCalls();
  const offers = watchOffers(bank, ({ live: chargesRealCards }) => {
    if (chargesRealCards === isLive) return;
    const reason = chargesRealCards ? 'it charges real cards' : 'it charges no real cards';
    log.error(
      { event: 'acquirer_not_used', acquirer, reason },
      'the acquirer is not used: its mode is not that of the keys',
    );
  });
  // Until it has sent its mode, a live deployment does not use it.
  const isUsed = () => (offers.current()?.live ?? false) === isLive;
  const breaker = createBreaker(acquirer, log, () => {
    // The key is new and is not closed, so the question changes nothing at the bank.
    void inquire(newId(), 'sale', false);
  });
  const measured = histogram('cobro.bank.duration.seconds');
  type Call = BankRequest['kind'] | 'inquire';
  const heard = ({ outcome }: BankAnswer | InquiryAnswer, call: Call, begun: number) => {
    measured((performance.now() - begun) / 1_000, { acquirer, call, outcome });
    if (outcome === 'unknown' || outcome === 'unreachable') returns.silent();
    else {
      breaker.answered();
      returns.answered();
    }
    if (outcome === 'unreachable') breaker.refused();
  };
  const inquire: Bank['inquire'] = async (key, kind, close) => {
    if (!isUsed()) return { outcome: 'unreachable' };
    const begun = performance.now();
    const answer = await bank.inquire(key, kind, close);
    heard(answer, 'inquire', begun);
    return answer;
  };
  return {
    send: async (key, request, deadline, { lane, organizationId }) => {
      // A call that is too late to be sent says nothing about the bank. 2 ms, because the client rounds down.
      const begun = performance.now();
      if (deadline - begun < 2 || !isUsed()) return { outcome: 'unreachable' };
      if (lane === 'live') live.begun();
      if (organizationId !== null) breaker.asked(organizationId);
      const answer = await bank.send(key, request, deadline, lane);
      heard(answer, request.kind, begun);
      return answer;
    },
    inquire,
    isAway: () => breaker.isAway() || !isUsed(),
    offers: offers.current,
    wasAskedForOffers: offers.wereAskedFor,
    isCalledLive: live.areFrequent,
    onReturn: returns.listen,
    close: () => {
      breaker.stop();
      offers.stop();
      return bank.close();
    },
  };
}

function createBreaker(acquirer: string, log: WatchLog, probe: () => void) {
  /** The merchants that have asked since the last answer. */
  const asking = new Set<string>();
  let silence: NodeJS.Timeout | undefined;
  let probing: NodeJS.Timeout | undefined;
  let awaySince = 0;

  const goAway = (reason: 'refused' | 'silent') => {
    if (probing !== undefined) return;
    awaySince = performance.now();
    log.warn(
      { event: 'bank_away', acquirer, reason },
      'the bank is away; nothing is asked of it but whether it is back',
    );
    // A probe may wait for its answer for as long as a call, and the next one does not wait for it.
    probing = setInterval(probe, PROBE_EVERY_MS).unref();
    probe();
  };
  const stop = () => {
    clearTimeout(silence);
    clearInterval(probing);
    [silence, probing] = [undefined, undefined];
    asking.clear();
  };
  return {
    isAway: () => probing !== undefined,
    asked: (merchant: string) => {
      asking.add(merchant);
      if (asking.size >= MERCHANTS) silence ??= setTimeout(goAway, SILENCE_MS, 'silent').unref();
    },
    refused: () => goAway('refused'),
    answered: () => {
      const wasAway = probing !== undefined;
      stop();
      if (!wasAway) return;
      const durationMs = Math.round(performance.now() - awaySince);
      log.info({ event: 'bank_back', acquirer, durationMs }, 'the bank answers again');
    },
    stop,
  };
}

function createReturns() {
  let listener: () => void = () => {};
  let wasSilent = false;
  let calledAt = Number.NEGATIVE_INFINITY;
  return {
    listen: (listening: () => void) => void (listener = listening),
    silent: () => void (wasSilent = true),
    answered: () => {
      if (!wasSilent || performance.now() - calledAt < RETURN_ONCE_IN_MS) return;
      wasSilent = false;
      calledAt = performance.now();
      listener();
    },
  };
}

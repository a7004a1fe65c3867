import { createSemaphore } from '@cobro/async/semaphore.ts';
import type { AskedBy } from '@cobro/contracts/asked-by.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { BankCaller } from './bank-watch.ts';
import type { Acquirers } from './acquirers.ts';
import { refuseNotOffered, type Wanted } from './offers.ts';

/** How many calls to one acquirer this process may have under way at once. */
export interface PermitBounds {
  perCard: number;
  perMerchant: number;
  perService: number;
}

/** Who wants to call the bank, and until when (a `performance.now()` value) the caller waits for the answer. */
export interface PermitRequest {
  /** The acquirer that has the token or the money, or whose vault is asked. */
  acquirer: string;
  organizationId: string;
  /** Absent if a payer or a terminal asks. */
  askedBy?: AskedBy;
  /** The saved card, or at a checkout its number's hash. Null, as for a tap or a save: it counts for no card. */
  cardId: string | null;
  /**
   * Requests for one card with the same externalId, or about the same payment, share a permit, because at most one of them calls
   * the bank. So do one merchant's requests with the same externalId to save a card.
   */
  externalId?: string | undefined;
  paymentId?: string;
  /** What the bank will be asked, if it may not offer that. */
  wanted?: Wanted;
  deadline: number;
}

/** One request's permit to call the bank. */
export interface Permit extends BankCaller {
  /** The acquirer that may be called. Written down with each claim. */
  acquirer: string;
  /** Written down with each claim. */
  askedBy?: AskedBy | undefined;
  /**
   * How many milliseconds a claim may still wait, so that enough time is left for a call and its settlement.
   * @throws Refusal BANK_UNAVAILABLE if none are left, or the bank is away
   */
  msToSpare(): number;
}

export interface BankPermits {
  /**
   * Acquires a permit for the time of the work. Refused as BANK_UNAVAILABLE if too many calls are under way, the bank is away,
   * or too little time is left; as NOT_OFFERED_BY_ACQUIRER or TERMS_NOT_AVAILABLE if the bank does not do what is wanted.
   */
  withPermit<T>(request: PermitRequest, work: (permit: Permit) => Promise<T>): Promise<T>;
}

/**
 * Quick background calls at once, and slow ones beside them, so that writes are batched. With a third of them an expiry takes 1.5 times
 * the CPU.
 */
export const backgroundCalls = { atOnce: 48, slowAtOnce: 96, slowAfterMs: 500 };
/** The same for inquiries. */
export const inquiryCalls = { atOnce: 16, slowAtOnce: 48, slowAfterMs: 500 };
/**
 * The pace of the sweep while requests call the bank. At 200 expiries a second, in groups with pauses, a charge's time hardly
 * changes on two cores; at the sweep's full speed it more than doubles. 100,000 holds still end within ten minutes.
 */
export const paceBesideRequests = { inGroup: 16, perSecond: 200 };

/** For timed work, which no caller waits for and which has connections of its own. */
export const backgroundPermit = (acquirer: string, organizationId: string | null = null): Permit => ({
  acquirer,
  lane: 'background',
  organizationId,
  msToSpare: () => 60_000,
});

/** How long settling, handing over and answering may take after the call. */
const SETTLEMENT_MS = 1_000;

/** Bounds the calls to each acquirer separately, so that a silent one leaves room for all others. No call waits in a queue. */
export function createBankPermits(
  options: PermitBounds & { callTimeoutMs: number; acquirers: Acquirers },
): BankPermits {
  const acquiring = new Map(options.acquirers.names.map((name) => [name, createAcquiring(options)]));
  return {
    withPermit: async (request, work) => {
      const { acquirer, organizationId } = request;
      const bank = options.acquirers.of(acquirer);
      if (request.wanted !== undefined) refuseNotOffered(bank.offers(), request.wanted);
      const msToSpare = () => {
        const spareMs = request.deadline - performance.now() - options.callTimeoutMs - SETTLEMENT_MS;
        if (bank.isAway() || spareMs < 0) throw new Refusal('BANK_UNAVAILABLE');
        return spareMs;
      };
      msToSpare();
      const release = acquiring.get(acquirer)?.(request);
      if (release === undefined) throw new Refusal('BANK_UNAVAILABLE');
      try {
        return await work({ acquirer, lane: 'live', organizationId, askedBy: request.askedBy, msToSpare });
      } finally {
        release();
      }
    },
  };
}

/** Returns a function that acquires a permit, or throws a Refusal, and returns how to release the permit. */
function createAcquiring(bounds: PermitBounds): (request: PermitRequest) => () => void {
  const calls = createSemaphore({ permits: bounds.perService, perKey: bounds.perMerchant });
  const cards = createSemaphore({ permits: Infinity, perKey: bounds.perCard });
  const shared = new Map<string, { sharers: number; release: () => void }>();

  const occupy = ({ organizationId, cardId }: PermitRequest) => {
    const card = cardId ?? undefined;
    if (!calls.tryAcquire(organizationId)) throw new Refusal('BANK_UNAVAILABLE');
    if (!cards.tryAcquire(card)) {
      calls.release(organizationId);
      throw new Refusal('BANK_UNAVAILABLE');
    }
    return () => {
      calls.release(organizationId);
      cards.release(card);
    };
  };
  return (request) => {
    const { organizationId, cardId, paymentId, externalId = paymentId } = request;
    if (externalId === undefined) return occupy(request);
    const key = `${organizationId} ${cardId ?? 'save'} ${externalId}`;
    const permit = shared.get(key) ?? { sharers: 0, release: occupy(request) };
    shared.set(key, permit);
    permit.sharers++;
    return () => {
      if (--permit.sharers > 0) return;
      shared.delete(key);
      permit.release();
    };
  };
}

import type { Capabilities } from '@cobro/contracts/acquirer/capabilities.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Bank } from './bank.ts';

/** What a request is going to ask of the bank. */
export interface Wanted {
  amount: bigint;
  terms?: number;
  isCardPresent?: true;
}

/** Refuses what the bank cannot do, before anything is written. Until its capabilities are known nothing is refused. @throws Refusal */
export function refuseNotOffered(capabilities: Capabilities | undefined, wanted: Wanted): void {
  if (capabilities === undefined) return;
  const { amount, terms = 1, isCardPresent = false } = wanted;
  const { minimumAmount, maximumAmount, minimumPerTerm, cardPresent } = capabilities;
  const leastInTerms = terms > 1 ? BigInt(minimumPerTerm) * BigInt(terms) : 0n;
  if (!capabilities.terms.includes(terms) || amount < leastInTerms) throw new Refusal('TERMS_NOT_AVAILABLE');
  const isOffered =
    amount >= BigInt(minimumAmount) && amount <= BigInt(maximumAmount) && (cardPresent || !isCardPresent);
  if (!isOffered) throw new Refusal('NOT_OFFERED_BY_ACQUIRER');
}

const EVERY_MS = 60_000;
const AT_FIRST_EVERY_MS = 1_000;

export interface Offers {
  /** The bank's last capabilities. Undefined until it has sent them. */
  current(): Capabilities | undefined;
  /** Whether the first reading has ended, with or without an answer. */
  wereAskedFor(): boolean;
  stop(): void;
}

/** Reads the bank's capabilities now and each minute. Nothing waits for them. `heard` gets them each time. */
export function watchOffers(
  bank: Pick<Bank, 'capabilities'>,
  heard: (offers: Capabilities) => void = () => {},
): Offers {
  let current: Capabilities | undefined;
  let wereAskedFor = false;
  let next: NodeJS.Timeout | undefined;
  const stopped = new AbortController();
  const read = async () => {
    const said = await bank.capabilities();
    wereAskedFor = true;
    if (said !== undefined) heard(said);
    current = said ?? current;
    if (stopped.signal.aborted) return;
    next = setTimeout(() => void read(), current === undefined ? AT_FIRST_EVERY_MS : EVERY_MS).unref();
  };
  void read();
  return {
    current: () => current,
    wereAskedFor: () => wereAskedFor,
    stop: () => {
      stopped.abort();
      clearTimeout(next);
    },
  };
}

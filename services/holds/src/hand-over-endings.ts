import type { Envelope } from '@cobro/contracts/events.ts';
import { endingEvent } from './hold-events.ts';
import type { HoldRow } from './hold.row.ts';

/** Hands over to payments how a hold has ended; what payments misses is written down. Does nothing while the hold is HELD. */
export type HandOverEnding = (hold: HoldRow) => Promise<void>;

const REMEMBERED = 1_000;

/**
 * Hands each ending over once in this process, because a merchant may request the end of an ended hold again and again. One that was
 * neither taken nor written down is handed over again at the next request.
 */
export function handOverEndings(handOver: (events: Envelope[]) => Promise<boolean>): HandOverEnding {
  const handedOver = new Map<string, Promise<boolean>>();
  return async (hold) => {
    const earlier = handedOver.get(hold.paymentId);
    if (earlier !== undefined) return void (await earlier);
    const event = endingEvent(hold);
    if (event === null) return;
    const done = handOver([event]);
    handedOver.set(hold.paymentId, done);
    if (handedOver.size > REMEMBERED) handedOver.delete(handedOver.keys().next().value ?? '');
    if (!(await done)) handedOver.delete(hold.paymentId);
  };
}

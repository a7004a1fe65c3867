import type { Envelope } from '@cobro/contracts/events.ts';
import { endingEvent } from './hold-events.ts';
import type { HoldRow } from './hold.row.ts';

/** Makes sure that payments knows how a hold has ended, or that it is written down what payments has missed. Nothing to do while it is HELD. */
export type HandOverEnding = (hold: HoldRow) => Promise<void>;

const REMEMBERED = 1_000;

/** Once for each hold in this process, because a merchant may ask again and again for what has ended. */
export function handOverEndings(handOver: (events: Envelope[]) => Promise<void>): HandOverEnding {
  const handedOver = new Map<string, Promise<void>>();
  return async (hold) => {
    const earlier = handedOver.get(hold.paymentId);
    if (earlier !== undefined) return earlier;
    const event = endingEvent(hold);
    if (event === null) return;
    const done = handOver([event]);
    handedOver.set(hold.paymentId, done);
    if (handedOver.size > REMEMBERED) handedOver.delete(handedOver.keys().next().value ?? '');
    await done;
  };
}

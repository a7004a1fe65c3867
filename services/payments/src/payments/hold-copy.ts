import { parseEnvelope } from '@cobro/contracts/events.ts';
import { holdEnding } from '@cobro/contracts/hold-questions.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { eventHandlers } from '@cobro/events/event-handlers.ts';
import { receiveEvent } from '@cobro/events/inbox.ts';
import { NEEDED_ANSWER_MS } from '@cobro/service-kit/service-client.ts';
import type { Deps } from '../deps.ts';
import { holdHandlers } from './on-hold-ended.ts';
import type { PaymentRow } from './payment.row.ts';

/**
 * Asks holds whether and how this hold has ended, and updates our copy as the event would. Refuses if the outcome of a capture or
 * release is not known yet.
 */
export async function followHold(deps: Deps, payment: PaymentRow, deadline: number): Promise<void> {
  const answer = await deps.holds.get(`/internal/holds/${payment.id}`, deadline, NEEDED_ANSWER_MS);
  const { event, operation } = holdEnding.parse(answer);
  if (event !== null) await receiveEvent(deps.db, eventHandlers(holdHandlers), parseEnvelope(event));
  else if (operation !== null) {
    throw new Refusal(operation === 'capture' ? 'CAPTURE_IN_PROGRESS' : 'RELEASE_IN_PROGRESS');
  }
}

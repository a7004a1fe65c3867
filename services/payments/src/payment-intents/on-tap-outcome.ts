import type { OnOutcome } from '../payments/settle-charge.ts';
import { removingTap } from './tap.store.ts';

/** Deletes the tap, with the card's token, once the outcome is known. What was not sent is tried again. */
export const onTapOutcome: OnOutcome = ({ id, status }) =>
  status === 'NOT_INITIALIZED' ? {} : { also: { writing: removingTap(id) } };

import type { OnOutcome } from '../payments/settle-charge.ts';
import { removingTap } from './tap.store.ts';

/** Once the outcome is known, the card's token is not needed any more. What was not sent is tried again. */
export const onTapOutcome: OnOutcome = ({ id, status }) =>
  status === 'NOT_INITIALIZED' ? {} : { also: { writing: removingTap(id) } };

import { abuse } from './abuse.ts';
import { bank } from './bank.ts';
import type { Cause } from './cause.ts';
import { events } from './events.ts';
import { money } from './money.ts';
import { requests } from './requests.ts';

/** In this order, because a payment can differ from the bank's books only when it is some minutes old. */
export const causes: readonly Cause[] = [...requests, ...bank, ...events, ...abuse, ...money];

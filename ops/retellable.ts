import type { Retelling } from '@cobro/events/retelling.ts';
import type { Database, Queries } from '@cobro/postgres/database.ts';
import type { ServiceName } from '../services/definitions.ts';
import { retellOrganizations } from '../services/gateway/src/retelling.ts';
import { retellHolds } from '../services/holds/src/retelling.ts';
import {
  retellBranches,
  retellIntents,
  retellSalespeople,
  retellTerminals,
} from '../services/intents/src/retelling.ts';
import {
  retellLinks,
  retellOutOfStock,
  retellPayments,
  retellPromotions,
  retellSoldOutLinks,
  retellSubscriptions,
} from '../services/payments/src/retelling.ts';
import type { Retellings } from './rebuild/rebuild.ts';

interface Retellable {
  owner: ServiceName;
  /** The table of reporting; null if only merchants' events are made from it. */
  table: keyof Retellings | null;
  /** How `events retell` counts them. */
  counted: string;
  /** Which ones `events retell` publishes: those that the bank has answered since a time, what happened since then, or all. */
  chosenBy: 'answer' | 'time' | 'nothing';
  retell: (owner: Queries) => Retelling;
}

/** What can be retold, and by whom. */
export const retellable = [
  {
    owner: 'gateway',
    table: 'organization',
    counted: 'organizations',
    chosenBy: 'nothing',
    retell: retellOrganizations,
  },
  { owner: 'intents', table: 'terminal', counted: 'terminals', chosenBy: 'nothing', retell: retellTerminals },
  { owner: 'intents', table: 'branch', counted: 'terminals', chosenBy: 'nothing', retell: retellBranches },
  { owner: 'intents', table: 'salesperson', counted: 'terminals', chosenBy: 'nothing', retell: retellSalespeople },
  { owner: 'intents', table: null, counted: 'intents', chosenBy: 'time', retell: retellIntents },
  { owner: 'payments', table: 'payment', counted: 'payments', chosenBy: 'answer', retell: retellPayments },
  { owner: 'payments', table: null, counted: 'links', chosenBy: 'time', retell: retellLinks },
  { owner: 'payments', table: null, counted: 'links', chosenBy: 'time', retell: retellSoldOutLinks },
  { owner: 'payments', table: null, counted: 'products', chosenBy: 'time', retell: retellOutOfStock },
  { owner: 'payments', table: null, counted: 'promotions', chosenBy: 'time', retell: retellPromotions },
  { owner: 'payments', table: null, counted: 'subscriptions', chosenBy: 'time', retell: retellSubscriptions },
  { owner: 'holds', table: 'payment', counted: 'holds', chosenBy: 'answer', retell: retellHolds },
] as const satisfies Retellable[];

type Owner = (typeof retellable)[number]['owner'];
export type Owners = Record<Owner, Database>;
export const owners = [...new Set(retellable.map(({ owner }) => owner))];

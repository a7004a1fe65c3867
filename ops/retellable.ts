import type { Retelling } from '@cobro/events/retelling.ts';
import type { Database, Queries } from '@cobro/postgres/database.ts';
import type { ServiceName } from '../services/definitions.ts';
import { retellOrganizations } from '../services/gateway/src/retelling.ts';
import { retellHolds } from '../services/holds/src/retelling.ts';
import { retellBranches, retellSalespeople, retellTerminals } from '../services/intents/src/retelling.ts';
import { retellPayments } from '../services/payments/src/retelling.ts';
import type { Retellings } from './rebuild/rebuild.ts';

interface Retellable {
  owner: ServiceName;
  /** Of reporting. */
  table: keyof Retellings;
  /** How `events retell` counts them. */
  counted: string;
  /** Whether `events retell` publishes those alone that the bank's answers have changed since a time. */
  sinceATime: boolean;
  retell: (owner: Queries) => Retelling;
}

/** What can be published again, and by whom. */
export const retellable = [
  { owner: 'gateway', table: 'organization', counted: 'organizations', sinceATime: false, retell: retellOrganizations },
  { owner: 'intents', table: 'terminal', counted: 'terminals', sinceATime: false, retell: retellTerminals },
  { owner: 'intents', table: 'branch', counted: 'terminals', sinceATime: false, retell: retellBranches },
  { owner: 'intents', table: 'salesperson', counted: 'terminals', sinceATime: false, retell: retellSalespeople },
  { owner: 'payments', table: 'payment', counted: 'payments', sinceATime: true, retell: retellPayments },
  { owner: 'holds', table: 'payment', counted: 'holds', sinceATime: true, retell: retellHolds },
] as const satisfies Retellable[];

type Owner = (typeof retellable)[number]['owner'];
export type Owners = Record<Owner, Database>;
export const owners = [...new Set(retellable.map(({ owner }) => owner))];

import { dashboard } from './dashboard/src/service.ts';
import { gateway } from './gateway/src/service.ts';
import { holds } from './holds/src/service.ts';
import { intents } from './intents/src/service.ts';
import { payments } from './payments/src/service.ts';
import { reporting } from './reporting/src/service.ts';
import { webhooks } from './webhooks/src/service.ts';

/** Every service: the stack tool, tests, the broker's topology, docs and the bench go by this list. */
export const definitions = [gateway, payments, holds, intents, reporting, webhooks, dashboard] as const;

export type ServiceName = (typeof definitions)[number]['name'];
export const serviceNames: readonly ServiceName[] = definitions.map(({ name }) => name);
/** Those that move money at the bank, each with a journal of its operations. */
export const journalKeepers = definitions.filter(({ keepsJournal }) => keepsJournal).map(({ name }) => name);

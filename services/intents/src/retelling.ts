import { type Retelling, retelling } from '@cobro/events/retelling.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { endOfIntent } from './intents/intent-events.ts';
import { findEndedIntentsAfter, findIntentsOfIds } from './intents/payment-intent.store.ts';
import { branchChanged, salespersonChanged, terminalChanged } from './registry/registry-events.ts';
import {
  findBranchesAfter,
  findBranchesOfIds,
  findSalespeopleAfter,
  findSalespeopleOfIds,
} from './registry/staff.store.ts';
import { findTerminalsAfter, findTerminalsOfIds } from './registry/terminal.store.ts';

// Retell each record as it is now, and how each intent ended.

export const retellTerminals = (queries: Queries): Retelling =>
  retelling({
    after: (id, limit) => findTerminalsAfter(queries, id, limit),
    ofKeys: (ids) => findTerminalsOfIds(queries, ids),
    keyOf: ({ id }) => id,
    eventsOf: (rows) => rows.map(terminalChanged),
  });

export const retellBranches = (queries: Queries): Retelling =>
  retelling({
    after: (id, limit) => findBranchesAfter(queries, id, limit),
    ofKeys: (ids) => findBranchesOfIds(queries, ids),
    keyOf: ({ id }) => id,
    eventsOf: (rows) => rows.map(branchChanged),
  });

export const retellSalespeople = (queries: Queries): Retelling =>
  retelling({
    after: (id, limit) => findSalespeopleAfter(queries, id, limit),
    ofKeys: (ids) => findSalespeopleOfIds(queries, ids),
    keyOf: ({ id }) => id,
    eventsOf: (rows) => rows.map(salespersonChanged),
  });

export const retellIntents = (queries: Queries): Retelling =>
  retelling({
    after: (id, limit) => findEndedIntentsAfter(queries, id, limit),
    ofKeys: (ids) => findIntentsOfIds(queries, ids),
    keyOf: ({ id }) => id,
    eventsOf: (rows) => rows.map(endOfIntent).filter((event) => event !== null),
  });

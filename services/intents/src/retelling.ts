import { type Retelling, retelling } from '@cobro/events/retelling.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { branchChanged, salespersonChanged, terminalChanged } from './registry/registry-events.ts';
import {
  findBranchesAfter,
  findBranchesOfIds,
  findSalespeopleAfter,
  findSalespeopleOfIds,
} from './registry/staff.store.ts';
import { findTerminalsAfter, findTerminalsOfIds } from './registry/terminal.store.ts';

// Each record as it is now.

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

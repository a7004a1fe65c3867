import { column, type RowOf, tableOf } from '@cobro/postgres/table.ts';
import type { Role, ScopeKind } from './roles.rules.ts';

const columns = {
  id: column<string>(),
  tokenHash: column<Buffer>(),
  purpose: column<'join' | 'reset' | 'sign-in'>(),
  email: column<string>(),
  scope: column<ScopeKind | null>(),
  scopeId: column<string | null>(),
  role: column<Role | null>(),
  resetsFactor: column<boolean>(),
  /** Null if an operator made it. */
  madeBy: column<string | null>(),
  createdAt: column<Date>(),
  expiresAt: column<Date>(),
  usedAt: column<Date | null>(),
  withdrawnAt: column<Date | null>(),
};

export type InvitationRow = RowOf<typeof columns>;
export const invitationTable = tableOf(columns);

import { column, type RowOf, tableOf } from '@cobro/postgres/table.ts';
import type { KeyMode } from './key.rules.ts';

const columns = {
  id: column<string>(),
  kind: column<'merchant' | 'partner' | 'terminal'>(),
  mode: column<KeyMode | null>(),
  organizationId: column<string | null>(),
  partnerId: column<string | null>(),
  terminalId: column<string | null>(),
  hash: column<Buffer>(),
  lastFour: column<string>(),
  name: column<string | null>(),
  /** The person who made it; null where an operator did. */
  createdBy: column<string | null>(),
  createdAt: column<Date>(),
  lastUsedAt: column<Date | null>(),
  /** When it ends, because it was replaced. */
  revokeAt: column<Date | null>(),
  revokedAt: column<Date | null>(),
  deletedAt: column<Date | null>(),
  /** Of the form that asked for it. */
  requestHash: column<Buffer | null>(),
  version: column<number>(),
};

export type KeyRow = RowOf<typeof columns>;
export const keyTable = tableOf(columns);

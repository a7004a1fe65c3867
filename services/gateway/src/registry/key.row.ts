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
  /** The person who made it; null if an operator did. */
  createdBy: column<string | null>(),
  createdAt: column<Date>(),
  lastUsedAt: column<Date | null>(),
  /** When a replaced key ends. */
  revokeAt: column<Date | null>(),
  revokedAt: column<Date | null>(),
  deletedAt: column<Date | null>(),
  /** SHA-256 of the owner and the form's id. */
  requestHash: column<Buffer | null>(),
  version: column<number>(),
};

export type KeyRow = RowOf<typeof columns>;
export const keyTable = tableOf(columns);

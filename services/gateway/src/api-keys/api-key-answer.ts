import type { ApiKey } from '@cobro/contracts/api-keys.ts';
import type { KeyRow } from '../registry/key.row.ts';
import { hasEnded } from '../registry/revoke-key.ts';

/** A key as its owners see it. Its status depends on the clock. */
export function showKey(row: KeyRow, now: Date): ApiKey {
  const { id, name, lastFour, createdBy, createdAt, lastUsedAt, revokeAt, revokedAt } = row;
  return {
    id,
    name,
    lastFour,
    status: hasEnded(row, now) ? 'REVOKED' : revokeAt === null ? 'ACTIVE' : 'ENDING',
    createdBy,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    endsAt: (revokedAt ?? revokeAt)?.toISOString() ?? null,
  };
}

import { createHash, randomBytes } from 'node:crypto';
import { newId } from '@cobro/contracts/ids.ts';
import type { InvitationRow } from './invitation.row.ts';

const DAY_MS = 86_400_000;
const INVITATION_LIVES_MS = 7 * DAY_MS;

export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();
/** 32 random bytes, as text for links and cookies. */
export const newToken = (): string => randomBytes(32).toString('base64url');

type Wanted = Pick<InvitationRow, 'purpose' | 'email' | 'madeBy'> &
  Partial<Pick<InvitationRow, 'scope' | 'scopeId' | 'role' | 'resetsFactor'>>;

/** A row, and the path of its link, which works once. Only a hash of the token is kept. */
export function newLink(wanted: Wanted, now: Date): { row: InvitationRow; path: string } {
  const token = newToken();
  const row: InvitationRow = {
    scope: null,
    scopeId: null,
    role: null,
    resetsFactor: false,
    ...wanted,
    id: newId(now.getTime()),
    tokenHash: hashOfToken(token),
    createdAt: now,
    expiresAt: new Date(now.getTime() + INVITATION_LIVES_MS),
    usedAt: null,
    withdrawnAt: null,
  };
  return { row, path: `/invitation/${token}` };
}

import { type Envelope, newEvent } from '@cobro/contracts/events.ts';
import { appendToOutbox } from '@cobro/events/outbox.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { KeyRow } from './key.row.ts';

/** Appends KeyCreated. A terminal's key has no events: only operators see it. */
export function publishCreated(tx: Tx, row: KeyRow): void {
  publish(tx, row, () =>
    newEvent('KeyCreated', {
      ...about(row, row.createdAt),
      data: { ...dataOf(row, row.createdBy), createdAt: row.createdAt },
    }),
  );
}

/** Appends KeyRevoked. @param by the person who ends it; null for an operator */
export function publishEnd(tx: Tx, row: KeyRow, by: string | null, endsAt: Date): void {
  publish(tx, row, () => newEvent('KeyRevoked', { ...about(row, new Date()), data: { ...dataOf(row, by), endsAt } }));
}

function publish(tx: Tx, { kind }: KeyRow, event: () => Envelope): void {
  if (kind !== 'terminal') appendToOutbox(tx, event());
}

const about = ({ id, version }: KeyRow, time: Date) => ({ subject: id, sequence: version, time });
const dataOf = ({ id, organizationId, partnerId, lastFour }: KeyRow, personId: string | null) => ({
  keyId: id,
  organizationId,
  partnerId,
  lastFour,
  personId,
});

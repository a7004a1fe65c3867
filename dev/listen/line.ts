import type { Event } from '@cobro/client/api.ts';

/** An event in one line: its time, type and object, and the data that people look for. */
export function lineOf({ createdAt, type, object, data }: Event): string {
  const { status, amount, externalId, declineCode } = data as {
    status?: string;
    amount?: number;
    externalId?: string | null;
    declineCode?: string;
  };
  const about = [status, amount?.toFixed(2), declineCode, externalId].filter(
    (one) => one !== undefined && one !== null,
  );
  return [createdAt, type.padEnd(24), object.id, ...about].join(' ');
}

import type { Envelope } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';

/** An envelope of any type, for tests that do not look at its data. */
export function testEvent(type: string, fields: Partial<Envelope> = {}): Envelope {
  return {
    specversion: '1.0',
    id: newId(),
    source: '/test',
    type,
    subject: newId(),
    organizationid: newId(),
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    dataversion: 1,
    sequence: '1',
    data: { text: 'ñandú' },
    ...fields,
  };
}

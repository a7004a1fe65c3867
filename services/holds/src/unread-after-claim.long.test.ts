import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { answeredUnread, type AtTheBank, inquiredFirst } from '@cobro/testing/answered-unread.ts';
import { type HeardEvents, hearEvents } from '@cobro/testing/hear-events.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let services: RunningServices;
let holds: TestHolds;
let heard: HeardEvents;
beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'], env: { BANK_CALL_TIMEOUT_MS: '8000' } });
  holds = await testHolds(services);
  heard = await hearEvents(services.broker);
});
afterAll(async () => {
  await heard?.close();
  await services?.stop();
});

const captured = sql`status = 'CAPTURED', captured_amount = held_amount, captured_at = now(), bank_transaction = '{}'`;
const released = sql`status = 'RELEASED', released_at = now()`;

test.each([
  ['capture', 'capture', captured],
  ['release', 'void', released],
] as const)(
  'a %s that an inquiry has settled and nobody can read is 202, as it was claimed',
  async (end, kind, moved) => {
    const held = await holds.place();
    await until('its event is heard', () => heard.of(held.id).length > 0);
    const [placed] = heard.of(held.id);
    const caller = { kind: 'service', name: 'payments' } as const;
    const bring = () =>
      services.call('holds', { method: 'POST', path: '/internal/events', body: { ...placed, id: newId() }, caller });
    const inquired = async (one: AtTheBank) => {
      await inquiredFirst(services, 'holds', one);
      await services
        .db('holds')
        .run(sql`update hold set ${moved}, version = version + 1 where payment_id = ${held.id}`);
    };
    const answer = await answeredUnread(services, 'holds', {
      kind,
      ask: () => holds[end](held),
      waiting: { table: 'inbox', by: bring },
      meanwhile: inquired,
    });
    expect(answer).toMatchObject({ status: 202, body: { id: held.id, status: 'HELD' } });
  },
);

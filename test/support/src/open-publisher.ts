import type { Envelope } from '@cobro/contracts/events.ts';
import { openBroker } from '@cobro/events/broker.ts';
import { eventsExchange } from '@cobro/events/topology.ts';
import { silentLog } from './silent-log.ts';
import type { RunningServices } from './start-services.ts';
import { until } from './until.ts';

export type Publisher = Awaited<ReturnType<typeof openPublisher>>;

/** Publishes events for services under test, each signed by its producer. */
export async function openPublisher(services: RunningServices) {
  const broker = openBroker({ ...services.broker, name: 'test', confirmTimeoutMs: 60_000, log: silentLog });
  await until('the broker takes events', () => broker.canPublish());
  const exchange = eventsExchange(broker.prefix);
  return {
    publish: (event: Envelope) =>
      broker.publish({ exchange, routingKey: event.type, ...services.keys.signed(event), messageId: event.id }),
    close: () => broker.close(),
  };
}

import { types } from 'node:util';
import { dropParked, isChange, listParked, type ParkedEvent, retryParked, showParked } from '@cobro/events/parked.ts';
import { command, commandTable, EXAMPLE_ID, noOptions } from '@cobro/service-kit/admin-command.ts';
import { secretUrl } from '@cobro/service-kit/config.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { z } from 'zod';

interface BrokerAccess {
  url: string;
  prefix: string;
}

const id = z.string({ error: 'is required' }).min(1, { error: 'must not be empty' });

const parked = [
  command({
    words: 'parked list',
    usage: '',
    about: 'shows the events that a consumer could not apply, without their bodies',
    example: [],
    options: noOptions,
    run: async (broker: BrokerAccess) => withoutBodies(await listParked(broker)),
  }),
  command({
    words: 'parked show',
    usage: '--id EVENT_ID',
    about: 'shows one parked event with its body, once for each consumer that could not apply it',
    example: ['--id', EXAMPLE_ID],
    options: z.object({ id }),
    layout: 'fields',
    run: async (broker: BrokerAccess, options) => found(await showParked(broker, options.id), options.id),
  }),
  command({
    words: 'parked retry',
    usage: '(--id EVENT_ID | --all)',
    about: 'puts one parked event, or all of them, back to the consumer that failed on it',
    example: ['--id', EXAMPLE_ID],
    options: z
      .object({ id: id.optional(), all: z.literal(true).optional() })
      .refine((given) => (given.id === undefined) !== (given.all === undefined), {
        error: 'either --id or --all is needed',
      }),
    run: async (broker: BrokerAccess, given) => {
      const retried = await retryParked(broker, given.id);
      return withoutBodies(given.id === undefined ? retried : found(retried, given.id));
    },
  }),
  command({
    words: 'parked drop',
    usage: '--id EVENT_ID',
    about:
      'shows a parked message that is no event, or that its producer has not signed, and throws it away; another event cannot be thrown away',
    example: ['--id', EXAMPLE_ID],
    options: z.object({ id }),
    layout: 'fields',
    run: async (broker: BrokerAccess, options) => {
      if (found(await showParked(broker, options.id), options.id).some(isChange)) {
        throw new OperatorError(`${options.id} is an event, of which a service has not heard: put it back.`);
      }
      return found(await dropParked(broker, options.id), options.id);
    },
  }),
];

const withoutBodies = (events: ParkedEvent[]) => events.map(({ body: _body, ...rest }) => rest);

function found(events: ParkedEvent[], eventId: string): ParkedEvent[] {
  if (events.length === 0) throw new OperatorError(`No event ${eventId} is parked.`);
  return events;
}

/** Commands on parked events, which belong to the broker and to no service. */
export const parkedCommands = commandTable({
  name: 'broker',
  environment: z.object({ AMQP_URL: secretUrl, EVENTS_PREFIX: z.string().default('') }),
  open: ({ AMQP_URL, EVENTS_PREFIX }): BrokerAccess => ({ url: AMQP_URL.reveal(), prefix: EVENTS_PREFIX }),
  explain: (error) => (types.isNativeError(error) ? `The broker cannot do that: ${error.message}.` : undefined),
  commands: parked,
});

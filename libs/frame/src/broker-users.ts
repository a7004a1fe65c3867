import { createHash, randomBytes } from 'node:crypto';
import { routingKeysOf } from '@cobro/contracts/event-routing.ts';
import { eventTypes, producerOf } from '@cobro/contracts/events.ts';
import {
  consumerQueue,
  deadLetterExchange,
  eventsExchange,
  parkedQueue,
  returnsExchange,
} from '@cobro/events/topology.ts';
import type { ServiceDefinition } from './definition.ts';

export interface BrokerUser {
  name: string;
  password: string;
}

type Followed = Pick<ServiceDefinition, 'name' | 'follows'>;

export interface UsersOptions {
  definitions: readonly Followed[];
  userOf: (service: string) => BrokerUser;
  virtualHosts: readonly string[];
  /** Stands before the name of every exchange and queue. */
  prefix: string;
  /** A regular expression for further prefixes that the services may use. */
  otherPrefixes?: string;
}

/**
 * A user of RabbitMQ for each service, in the form of a definitions file, and the exchanges that their rights name. A service
 * publishes its own types, reads its own queue, puts events back into it and parks them, and does nothing else.
 */
export function brokerUsers({ definitions, userOf, virtualHosts, prefix, otherPrefixes }: UsersOptions) {
  const before = otherPrefixes === undefined ? escaped(prefix) : `(${escaped(prefix)}|${otherPrefixes})`;
  const named = (names: string[]) => `^${before}(${names.map(escaped).join('|')})$`;
  const inEach = definitions.flatMap((definition) =>
    virtualHosts.map((vhost) => ({ definition, of: { user: userOf(definition.name).name, vhost } })),
  );
  return {
    // RabbitMQ 4.3 refuses a right by routing key for an exchange that does not exist, and the migration comes later.
    exchanges: virtualHosts.flatMap((vhost) => topicExchanges(prefix).map((name) => ({ ...declared, name, vhost }))),
    users: definitions.map(({ name }) => hashed(userOf(name))),
    permissions: inEach.map(({ definition, of }) => ({
      ...of,
      configure: NOTHING,
      write: any(writtenBy(definition), named),
      read: any(isFollower(definition) ? [consumerQueue('', definition.name)] : [], named),
    })),
    topic_permissions: inEach.flatMap(({ definition, of }) => [
      {
        ...of,
        exchange: eventsExchange(prefix),
        write: any(producedBy(definition).flatMap(routingKeysOf), exactly),
        read: NOTHING,
      },
      {
        ...of,
        exchange: deadLetterExchange(prefix),
        // A parked event is put back by sending it to the queue that this key names.
        write: any(isFollower(definition) ? [consumerQueue(prefix, definition.name)] : [], exactly),
        read: NOTHING,
      },
    ]),
  };
}

const topicExchanges = (prefix: string) => [eventsExchange(prefix), deadLetterExchange(prefix)];
/** As `declareTopology` declares them: RabbitMQ refuses to declare one exchange in two ways. */
const declared = { type: 'topic', durable: true, auto_delete: false, internal: false, arguments: {} };

const NOTHING = '^$';
/** Avoids backslashes, because programs read them differently in files of variables. */
const escaped = (name: string) => name.replaceAll('.', '[.]').replaceAll(/[\\^$*+?(){}|]/g, String.raw`\$&`);
const exactly = (keys: string[]) => `^(${keys.map(escaped).join('|')})$`;
const any = (names: string[], pattern: (names: string[]) => string) => (names.length === 0 ? NOTHING : pattern(names));

const producedBy = ({ name }: Followed) => eventTypes.filter((type) => producerOf(type) === name);
const isFollower = ({ follows }: Followed) => follows.length > 0;

/** The exchanges that a service publishes to, and the queue whose events it counts: RabbitMQ 4.3 wants some right for this. */
function writtenBy(definition: Followed): string[] {
  return [
    ...(producedBy(definition).length > 0 ? [eventsExchange('')] : []),
    ...(isFollower(definition) ? [deadLetterExchange(''), returnsExchange(consumerQueue('', definition.name))] : []),
    parkedQueue(''),
  ];
}

/** Definitions hold the hash of a password, so that a file of them shows no password. */
export function hashed({ name, password }: BrokerUser) {
  const salt = randomBytes(4);
  const hash = createHash('sha256').update(salt).update(password).digest();
  const passwordHash = Buffer.concat([salt, hash]).toString('base64');
  return { name, password_hash: passwordHash, hashing_algorithm: 'rabbit_password_hashing_sha256', tags: '' };
}

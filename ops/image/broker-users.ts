import { parseArgs } from 'node:util';
import { type BrokerUser, brokerUsers, hashed } from '@cobro/frame/broker-users.ts';
import { definitions } from '../../services/definitions.ts';
import { isOptional, needed } from './environment.ts';

/** The service's user, and the virtual host, of an address. */
function userOf(address: string): BrokerUser & { virtualHost: string } {
  const { username, password, pathname } = new URL(address);
  return {
    name: decodeURIComponent(username),
    password: decodeURIComponent(password),
    virtualHost: decodeURIComponent(pathname.slice(1)) || '/',
  };
}

/**
 * The users of the services with their rights, from the addresses by which the services connect, and an administrator if its address is
 * given.
 */
export function usersOf(addresses: Readonly<Record<string, string>>, prefix: string, administrator?: string) {
  const deployed = definitions.filter(({ name }) => addresses[name] !== undefined);
  const known = (service: string) => userOf(addresses[service] ?? '');
  const virtualHosts = [...new Set(deployed.map(({ name }) => known(name).virtualHost))];
  const services = brokerUsers({ definitions: deployed, userOf: known, virtualHosts, prefix });
  if (administrator === undefined) return services;
  const { virtualHost: vhost, ...user } = userOf(administrator);
  return {
    ...services,
    users: [{ ...hashed(user), tags: 'administrator' }, ...services.users],
    permissions: [{ user: user.name, vhost, configure: '.*', write: '.*', read: '.*' }, ...services.permissions],
  };
}

export const BROKER_USERS_USAGE = '[--administrator]';

/**
 * Prints them as a definitions file of RabbitMQ, which the broker's administrator imports. It may be imported again and again.
 * `--administrator`: also the user of AMQP_URL, for a broker that does not have it yet.
 */
export function printBrokerUsers(args: string[]): string {
  const { values } = parseArgs({ args, options: { administrator: { type: 'boolean', default: false } } });
  const addresses = definitions.flatMap(({ name }) => {
    const variable = `${name.toUpperCase()}_AMQP_URL`;
    return isOptional(name) && !process.env[variable] ? [] : [[name, needed(variable)]];
  });
  const administrator = values.administrator ? needed('AMQP_URL') : undefined;
  const prefix = process.env['EVENTS_PREFIX'] ?? '';
  const users = usersOf(Object.fromEntries(addresses) as Record<string, string>, prefix, administrator);
  return `${JSON.stringify(users, undefined, 2)}\n`;
}

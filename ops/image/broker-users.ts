import { type BrokerUser, brokerUsers } from '@cobro/frame/broker-users.ts';
import { definitions } from '../../services/definitions.ts';
import { needed } from './environment.ts';

/** The service's user, and the virtual host, of an address. */
function userOf(address: string): BrokerUser & { virtualHost: string } {
  const { username, password, pathname } = new URL(address);
  return {
    name: decodeURIComponent(username),
    password: decodeURIComponent(password),
    virtualHost: decodeURIComponent(pathname.slice(1)) || '/',
  };
}

/** The users of all services with their rights, from the addresses by which the services connect. */
export function usersOf(addresses: Readonly<Record<string, string>>, prefix: string) {
  const known = (service: string) => userOf(addresses[service] ?? '');
  const virtualHosts = [...new Set(definitions.map(({ name }) => known(name).virtualHost))];
  return brokerUsers({ definitions, userOf: known, virtualHosts, prefix });
}

/** The same as a definitions file of RabbitMQ, which whoever administers the broker imports. May be imported again and again. */
export function printBrokerUsers(): string {
  const addresses = definitions.map(({ name }) => [name, needed(`${name.toUpperCase()}_AMQP_URL`)]);
  const users = usersOf(Object.fromEntries(addresses) as Record<string, string>, process.env['EVENTS_PREFIX'] ?? '');
  return `${JSON.stringify(users, undefined, 2)}\n`;
}

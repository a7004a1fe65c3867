import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { drawKeys } from '../keys.ts';
import { definitions } from '../../services/definitions.ts';
import { usersOf } from './broker-users.ts';

export const SECRETS_USAGE =
  '[--name cobro] [--namespace NS] [--postgres HOST:PORT/DATABASE] [--rabbitmq HOST:PORT] [--redis HOST:PORT] [--stripe] [--trial] [--env]';

/** The data of each Secret, by the Secret's name without the prefix. */
type Secrets = Record<string, Record<string, string>>;

/**
 * Prints Secrets for the chart, drawn anew and kept nowhere: the services' keys, and for each named server its addresses with fresh
 * passwords. `--trial`: also the password of a trial's Postgres administrator. `--stripe`: also the adapter's, to which `secret-key` is
 * added by hand. `--env`: as lines of an .env file.
 */
export function printSecrets(args: string[]): string {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      name: { ...text, default: 'cobro' },
      namespace: text,
      postgres: text,
      rabbitmq: text,
      redis: text,
      stripe: { type: 'boolean', default: false },
      trial: { type: 'boolean' },
      env: { type: 'boolean' },
    },
  });
  const secrets: Secrets = {
    keys: keysOfServices(),
    ...(values.stripe && { stripe: secretsOfStripe() }),
    ...(values.postgres && {
      postgres: postgresAddresses(values.postgres, values.name, values.stripe ? ['stripe'] : []),
    }),
    ...(values.postgres &&
      values.trial && {
        'postgres-admin': address('postgres', 'postgres', `${values.postgres.split('/')[0]}/postgres`),
      }),
    ...(values.rabbitmq && { rabbitmq: rabbitmqAddresses(values.rabbitmq, values.name) }),
    ...(values.redis && { redis: address('redis', 'default', values.redis) }),
  };
  return values.env ? environmentFile(secrets) : manifests(secrets, values.name, values.namespace);
}

function keysOfServices(): Record<string, string> {
  const keys = drawKeys();
  const signing = definitions.map(({ name }) => [`INTERNAL_SIGNING_KEY.${name}`, keys.signingKey(name)]);
  return { ...keys.shared, ...(Object.fromEntries(signing) as Record<string, string>) };
}

/** The adapter's own secrets, and the token that our services show it. */
function secretsOfStripe(): Record<string, string> {
  const token = draw();
  return { token, 'accepted-tokens': token, 'card-fingerprint-key': randomBytes(32).toString('base64') };
}

function postgresAddresses(server: string, name: string, adapters: readonly string[]): Record<string, string> {
  const [hostAndPort = '', database = 'cobro'] = server.split('/');
  const prefix = accountPrefix(name);
  const of = (role: string) => `postgres://${role}:${draw()}@${hostAndPort}/${database}`;
  return Object.fromEntries(
    [...definitions.map((service) => service.name), ...adapters].flatMap((schema) => [
      [`${schema}-owner-url`, of(`${prefix}_${schema}_owner`)],
      [`${schema}-url`, of(`${prefix}_${schema}`)],
    ]),
  );
}

/** An administrator, a user for each service, and all of them as the definitions that a new broker loads. */
function rabbitmqAddresses(hostAndPort: string, name: string): Record<string, string> {
  const prefix = accountPrefix(name);
  const password = draw();
  const urls = definitions.map((service) => [
    service.name,
    `amqp://${prefix}_${service.name}:${draw()}@${hostAndPort}`,
  ]);
  const addresses = Object.fromEntries(urls) as Record<string, string>;
  const admin = `amqp://${prefix}:${password}@${hostAndPort}`;
  const brokerDefinitions = { ...usersOf(addresses, '', admin), vhosts: [{ name: '/' }] };
  return {
    'admin-url': admin,
    ...Object.fromEntries(Object.entries(addresses).map(([service, url]) => [`${service}-url`, url])),
    'definitions.json': JSON.stringify(brokerDefinitions),
  };
}

/** Roles and users belong to the whole server, so two installations need different names. */
const accountPrefix = (name: string) => name.replaceAll('-', '_');

function address(protocol: string, user: string, server: string): Record<string, string> {
  const password = draw();
  return { password, url: `${protocol}://${user}:${password}@${server}` };
}

const draw = () => randomBytes(24).toString('base64url');

function manifests(secrets: Secrets, prefix: string, namespace: string | undefined): string {
  return Object.entries(secrets)
    .map(([name, data]) => {
      const metadata = { name: `${prefix}-${name}`, ...(namespace && { namespace }) };
      // JSON is YAML, and needs no library to be written right.
      return `---\n${JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: data }, undefined, 2)}\n`;
    })
    .join('');
}

/** `POSTGRES_PAYMENTS_URL='…'`: named after the Secret and its key, as the compose file expects. */
function environmentFile(secrets: Secrets): string {
  return Object.entries(secrets)
    .flatMap(([name, data]) => Object.entries(data).map(([key, value]) => `${variableOf(name, key)}='${value}'\n`))
    .join('');
}

export const variableOf = (secret: string, key: string) =>
  `${secret === 'keys' ? '' : `${secret}_`}${key}`.replaceAll(/[-.]/g, '_').toUpperCase();

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, isProgram, pathFolders } from '@cobro/testing/find-program.ts';
import type { ServerName } from './server.ts';

// Debian keeps servers' programs out of the PATH. The rabbitmq-server in its PATH is a wrapper that insists on /var/lib.
const POSTGRES_FOLDERS = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql*/bin',
  '/usr/local/opt/postgresql*/bin',
  '/usr/local/pgsql/bin',
];
const RABBITMQ_FOLDERS = ['/usr/lib/rabbitmq/bin', '/opt/homebrew/opt/rabbitmq/sbin', '/usr/local/opt/rabbitmq/sbin'];
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/opt/homebrew/bin', '/usr/local/bin', '/usr/bin'];

export interface Programs {
  postgres: { folder: string };
  rabbitmq: { server: string; epmd: string };
  redis: { server: string };
}

const find: { [Name in ServerName]: () => Programs[Name] | undefined } = {
  postgres: findPostgres,
  rabbitmq: findRabbitmq,
  redis: findRedis,
};

/** Where a server's programs are on this machine, or undefined if the machine does not have them. */
export function findPrograms<Name extends ServerName>(name: Name): Programs[Name] | undefined {
  return find[name]();
}

function findPostgres(): Programs['postgres'] | undefined {
  const newestFirst = globSync(POSTGRES_FOLDERS).toSorted((a, b) => versionIn(b) - versionIn(a));
  const folder = [...pathFolders(), ...newestFirst].find((at) =>
    ['initdb', 'postgres'].every((name) => isProgram(join(at, name))),
  );
  return folder === undefined ? undefined : { folder };
}

function findRabbitmq(): Programs['rabbitmq'] | undefined {
  const server = findProgram(['rabbitmq-server'], [...globSync(RABBITMQ_FOLDERS), ...pathFolders()]);
  const erlangFolders = globSync(['/usr/lib/erlang/erts-*/bin', '/opt/homebrew/opt/erlang/lib/erlang/erts-*/bin']);
  const epmd = findProgram(['epmd'], [...pathFolders(), ...SYSTEM_FOLDERS, ...erlangFolders]);
  return server === undefined || epmd === undefined ? undefined : { server, epmd };
}

function findRedis(): Programs['redis'] | undefined {
  const server = findProgram(['redis-server', 'valkey-server'], [...pathFolders(), ...SYSTEM_FOLDERS]);
  return server === undefined ? undefined : { server };
}

function versionIn(folder: string): number {
  return Number(/\d+/.exec(folder)?.[0] ?? 0);
}

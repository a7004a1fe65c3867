import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
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

/** Where a server's programs are on this machine, or undefined where the machine does not have them. */
export function findPrograms<Name extends ServerName>(name: Name): Programs[Name] | undefined {
  return find[name]();
}

function findPostgres(): Programs['postgres'] | undefined {
  const newestFirst = globSync(POSTGRES_FOLDERS).toSorted((a, b) => versionIn(b) - versionIn(a));
  const folder = [...pathFolders(), ...newestFirst].find((at) => isProgram(at, 'initdb') && isProgram(at, 'postgres'));
  return folder === undefined ? undefined : { folder };
}

function findRabbitmq(): Programs['rabbitmq'] | undefined {
  const server = findIn([...globSync(RABBITMQ_FOLDERS), ...pathFolders()], 'rabbitmq-server');
  const erlangFolders = globSync(['/usr/lib/erlang/erts-*/bin', '/opt/homebrew/opt/erlang/lib/erlang/erts-*/bin']);
  const epmd = findIn([...pathFolders(), ...SYSTEM_FOLDERS, ...erlangFolders], 'epmd');
  return server === undefined || epmd === undefined ? undefined : { server, epmd };
}

function findRedis(): Programs['redis'] | undefined {
  const folders = [...pathFolders(), ...SYSTEM_FOLDERS];
  const server = findIn(folders, 'redis-server') ?? findIn(folders, 'valkey-server');
  return server === undefined ? undefined : { server };
}

function findIn(folders: string[], program: string): string | undefined {
  const folder = folders.find((at) => isProgram(at, program));
  return folder === undefined ? undefined : join(folder, program);
}

function isProgram(folder: string, program: string): boolean {
  try {
    accessSync(join(folder, program), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function pathFolders(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
}

function versionIn(folder: string): number {
  return Number(/\d+/.exec(folder)?.[0] ?? 0);
}

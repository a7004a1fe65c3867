import { randomBytes } from 'node:crypto';
import type { ServicePasswords } from '@cobro/testing/broker-address.ts';

export type ServerName = 'postgres' | 'rabbitmq' | 'redis';

/**
 * Who owns the server. `this-run`: the server goes when the run ends, so nothing on it needs a name of its own or must be
 * dropped. `test-run`: shared by the tests of one `npm test`. `foreign`: named by an address; what we make there is also
 * recorded, so that a later start can drop what a killed run left.
 */
export type ServerOwner = 'this-run' | 'test-run' | 'foreign';

/** One of the three servers that the services need, however we got it. */
export interface Server {
  name: ServerName;
  owner: ServerOwner;
  /** Address of an administrator, with the password. */
  url: string;
  /** One sentence: how we got the server, and where it is. */
  about: string;
  /** Ends the server as a crash would. Rejects if the server is not ours. */
  kill(): Promise<void>;
  /** Starts the server again on the same port and data, and waits until it answers. */
  start(): Promise<void>;
  /** Freezes the server with its connections open, like a machine that hangs, until `resume`. Rejects if the server is not ours. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

export interface Servers {
  postgres: Server;
  /** `url` is the address of the first virtual host. */
  rabbitmq: Server & { virtualHostUrls: string[]; servicePasswords?: ServicePasswords };
  redis: Server;
}

/** An error whose message is shown to the user as it is, without a stack trace. */
export class Sentence extends Error {}

/** The message of an error that is not ours, on one line, for use in a sentence. */
export function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return (message || code || String(error)).trim().replaceAll(/\s+/g, ' ');
}

/** For the end of a program: says why the program failed and returns the exit code. */
export function reportFailure(say: (line: string) => void): (error: unknown) => number {
  return (error) => {
    say(error instanceof Sentence ? error.message : error instanceof Error ? (error.stack ?? '') : String(error));
    return 1;
  };
}

export const foreignServer = (name: ServerName, url: string, variable: string): Server =>
  serverOfOthers(
    { name, owner: 'foreign', url, about: `${name}: the server at ${hostAndPort(url)} that ${variable} names` },
    `${name} was given by ${variable}: it is not ours to stop`,
  );

/** A server that this process can neither stop nor start; the refusal says why. */
export function serverOfOthers(server: Pick<Server, 'name' | 'owner' | 'url' | 'about'>, refusal: string): Server {
  const notOurs = () => Promise.reject(new Error(refusal));
  return { ...server, kill: notOurs, start: notOurs, pause: notOurs, resume: notOurs };
}

/** Letters and digits only, because the password is put into addresses, shells and configuration files as it is. */
export function newPassword(): string {
  return randomBytes(18).toString('hex');
}

const DEFAULT_PORTS: Record<string, string> = {
  'postgres:': '5432',
  'postgresql:': '5432',
  'amqp:': '5672',
  'amqps:': '5671',
  'redis:': '6379',
  'rediss:': '6379',
};

/** host:port of an address, without the password. Records and messages may show this. */
export function hostAndPort(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname || 'localhost'}:${port || DEFAULT_PORTS[protocol]}`;
}

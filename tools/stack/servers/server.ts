import { randomBytes } from 'node:crypto';

export type ServerName = 'postgres' | 'rabbitmq' | 'redis';

/**
 * Whose it is. `this-run`: it goes when the run ends, so nothing there needs a name of its own or is dropped.
 * `test-run`: shared by the tests of one `npm test`. `foreign`: named by an address; what we make there is also
 * recorded, so that a later start can drop what a killed run left.
 */
export type ServerOwner = 'this-run' | 'test-run' | 'foreign';

/** One of the three servers that the services stand on, however it was come by. */
export interface Server {
  name: ServerName;
  owner: ServerOwner;
  /** Address of an administrator, with the password. */
  url: string;
  /** One sentence: which way was taken, and where the server is. */
  about: string;
  /** Ends it as a crash would. Rejects where the server is not ours. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data, and waits until it answers. */
  start(): Promise<void>;
  /** Freezes it with its connections open, as a machine that hangs, until `resume`. Rejects where the server is not ours. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

export interface Servers {
  postgres: Server;
  /** `url` is that of the first virtual host. */
  rabbitmq: Server & { virtualHostUrls: string[] };
  redis: Server;
}

/** Said to the user as it is, without a stack trace. */
export class Sentence extends Error {}

/** What an error of somebody else's says, on one line, for use in a sentence. */
export function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return (message || code || String(error)).trim().replaceAll(/\s+/g, ' ');
}

/** For the end of a program: says why it failed and gives the exit code. */
export function tellFailure(say: (line: string) => void): (error: unknown) => number {
  return (error) => {
    say(error instanceof Sentence ? error.message : error instanceof Error ? (error.stack ?? '') : String(error));
    return 1;
  };
}

export function foreignServer(name: ServerName, url: string, variable: string): Server {
  const notOurs = () => Promise.reject(new Error(`${name} was given by ${variable}: it is not ours to stop`));
  return {
    name,
    owner: 'foreign',
    url,
    about: `${name}: the server at ${hostAndPort(url)} that ${variable} names`,
    kill: notOurs,
    start: notOurs,
    pause: notOurs,
    resume: notOurs,
  };
}

/** Letters and digits only: it goes through addresses, shells and configuration files as it is. */
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

/** host:port of an address, without the password; what records and messages may show. */
export function hostAndPort(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname || 'localhost'}:${port || DEFAULT_PORTS[protocol]}`;
}

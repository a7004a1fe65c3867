/**
 * Preloaded into services under test (NODE_OPTIONS): kills the process with SIGKILL at the named point, so that the product's code needs
 * no fault points. A request names its point in a header; a file names it for other work.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync, unlinkSync } from 'node:fs';
import { type IncomingMessage, Server } from 'node:http';
import pg from 'pg';
import { DIE_AT_FILE, DIE_AT_HEADER, parsePoint, type Point, type Trap } from './points.ts';

interface Countdown {
  point: Point;
  passed: Record<Point['kind'], number>;
}

/** The countdown of a sprung trap, and the connection that sprang it. */
interface Trapped extends Countdown {
  connection: unknown;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

const requests = new AsyncLocalStorage<Countdown>();
const file = process.env[DIE_AT_FILE];
let trapped: Trapped | undefined;

const begin = (point: string): Countdown => ({
  point: parsePoint(point),
  passed: { commit: 0, call: 0, statement: 0 },
});
const die = () => process.kill(process.pid, 'SIGKILL');

/** Counts one more of this kind; true at the countdown's point. */
function isReached(countdown: Countdown | undefined, kind: Point['kind']): boolean {
  if (countdown?.point.kind !== kind) return false;
  return ++countdown.passed[kind] === countdown.point.number;
}

/** Runs a commit or a statement, dying before it or once it has been answered. */
function dieAround(kind: 'commit' | 'statement', countdown: Countdown | undefined, run: () => unknown): unknown {
  if (!isReached(countdown, kind)) return run();
  if (countdown?.point.moment === 'before') die();
  return (run() as Promise<unknown>).then((result) => {
    die();
    return result;
  });
}

const doomed = new WeakMap<object, Point['moment']>();
const momentOf = (message: unknown) => doomed.get((message as { request: object }).request);

// undici announces a request in its caller's async context, before a byte of it has left.
subscribe('undici:request:create', (message) => {
  const countdown = requests.getStore() ?? trapped;
  if (!isReached(countdown, 'call')) return;
  if (countdown?.point.moment === 'before') die();
  doomed.set((message as { request: object }).request, countdown?.point.moment ?? 'after');
});
// By the next tick the operating system has the request, and its answer is not here yet.
subscribe('undici:request:bodySent', (message) => {
  if (momentOf(message) === 'sent') process.nextTick(die);
});
// The answer is here, or the request was given up.
for (const channel of ['undici:request:trailers', 'undici:request:error']) {
  subscribe(channel, (message) => {
    if (momentOf(message) !== undefined) die();
  });
}

/** Replaces a method by `around`. */
function wrap(
  owner: object,
  name: string,
  around: (original: Method, self: unknown, args: unknown[]) => unknown,
): void {
  const methods = owner as Record<string, Method>;
  const original = methods[name] as Method;
  methods[name] = function (...args) {
    return around(original, this, args);
  };
}

wrap(Server.prototype, 'emit', (original, self, args) => {
  const point = args[0] === 'request' ? (args[1] as IncomingMessage).headers[DIE_AT_HEADER] : undefined;
  if (typeof point !== 'string') return original.apply(self, args);
  return requests.run(begin(point), () => original.apply(self, args));
});

wrap(pg.Client.prototype, 'query', (original, self, args) => {
  const { text, values } = statementOf(args);
  if (file !== undefined) springTrap(file, self, transcript(self, [text, ...values].join(' ')));
  const run = () => original.apply(self, args);
  if (trapped?.connection === self && trapped?.point.kind === 'statement') return dieAround('statement', trapped, run);
  return text === 'commit' ? dieAround('commit', requests.getStore() ?? trapped, run) : run();
});

wrap(pg.Pool.prototype, 'query', (original, self, args) => {
  const run = () => original.apply(self, args);
  const { text } = statementOf(args);
  if (/^\/\* (claim|settle) \*\//.test(text)) return dieAround('commit', requests.getStore() ?? trapped, run);
  // Outside requests these are statements of jobs that the point is not about.
  return /^\s*(insert|update|delete)\b/i.test(text) ? dieAround('commit', requests.getStore(), run) : run();
});

function statementOf([statement, values]: unknown[]): { text: string; values: unknown[] } {
  if (typeof statement === 'string') return { text: statement, values: Array.isArray(values) ? values : [] };
  const config = statement as { text?: string; values?: unknown[] };
  return { text: config.text ?? '', values: config.values ?? [] };
}

const transcripts = new WeakMap<object, string>();

/** A statement with its values, and those before it in its transaction. */
function transcript(connection: unknown, said: string): string {
  const before = transcripts.get(connection as object);
  if (said === 'begin') transcripts.set(connection as object, said);
  else if (said === 'commit' || said === 'rollback') transcripts.delete(connection as object);
  else if (before !== undefined) transcripts.set(connection as object, `${before}\n${said}`);
  return before === undefined ? said : `${before}\n${said}`;
}

/** A trap is for one process, once: the process that removes its file springs it. */
function springTrap(path: string, connection: unknown, said: string): void {
  if (trapped !== undefined) return;
  try {
    const trap = JSON.parse(readFileSync(path, 'utf8')) as Trap;
    if (!process.argv[1]?.includes(`services/${trap.service}/`)) return;
    if (!new RegExp(trap.statement, 's').test(said)) return;
    unlinkSync(path);
    trapped = { ...begin(trap.point), connection };
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
  }
}

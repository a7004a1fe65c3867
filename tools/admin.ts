/**
 * `npm run admin -- <noun> <verb> [--options]`: operator's commands. Organizations, partners, keys and fees are those of the
 * service that owns them, run as its own program; parked events are the broker's.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { listParked, type ParkedEvent, retryParked, showParked } from '@cobro/events/parked.ts';
import { demoFile } from './stack/demo-file.ts';
import { repositoryFolder } from './stack/run-record.ts';

const USAGE = `npm run admin -- <command>

  organizations create --name NAME [--website URL] [--partner ID]
  organizations change --id ID [--name NAME] [--website URL] [--partner ID]
  organizations list
  partners create --name NAME
  partners list
  keys create (--organization ID [--mode test|live] | --partner ID)     shows the key, this once
  keys revoke --id ID
  keys list
  fees default|set|remove|list --organization ID [--options]
  parked list                          events that a consumer could not apply
  parked show --id EVENT_ID            with its body
  parked retry (--id EVENT_ID | --all) puts them back to the consumer that failed on them

With --json the answer is one line of JSON. A stack that runs from this checkout is the one that is meant, or that whose
record STACK_FILE names; where none runs, DATABASE_URL (of the service that owns the noun) or AMQP_URL and EVENTS_PREFIX
say where.
Exits with 0; 1 where it cannot be done; 64 for a wrong command line; 78 where it is not known where.
`;

const OWNERS: Record<string, string> = {
  organizations: 'gateway',
  partners: 'gateway',
  keys: 'gateway',
  fees: 'payments',
};

class AdminError extends Error {
  override readonly name = 'AdminError';
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

interface RunningStack {
  databaseUrl: string;
  brokerUrl: string;
  eventsPrefix?: string;
}

/** Its record is there only while it runs. */
function runningStack(): RunningStack | undefined {
  try {
    return JSON.parse(readFileSync(process.env['STACK_FILE'] ?? demoFile, 'utf8')) as RunningStack;
  } catch {
    return undefined;
  }
}

function setting(name: string, ofStack: string | undefined): string {
  const value = ofStack ?? process.env[name];
  if (value === undefined || value === '') {
    throw new AdminError(`No stack runs from this checkout (npm start), and ${name} is not set.`, 78);
  }
  return value;
}

/** The service's own program, with nothing but its database; answers its exit code. */
async function runInService(service: string, args: string[]): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', `services/${service}/src/admin.ts`, ...args],
    {
      cwd: repositoryFolder,
      env: { ...process.env, DATABASE_URL: setting('DATABASE_URL', runningStack()?.databaseUrl) },
      stdio: 'inherit',
    },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

interface ParkedOptions {
  id?: string | undefined;
  all?: boolean | undefined;
}

async function runParked(verb: string | undefined, options: ParkedOptions): Promise<ParkedEvent[]> {
  const { id, all = false } = options;
  if (verb === 'list' && id === undefined && !all) return listParked(broker());
  if (verb === 'show' && id !== undefined && !all) return found(await showParked(broker(), id), id);
  if (verb === 'retry' && id !== undefined && !all) return found(await retryParked(broker(), id), id);
  if (verb === 'retry' && id === undefined && all) return retryParked(broker());
  throw new AdminError(USAGE, 64);
}

function broker(): { url: string; prefix: string } {
  const stack = runningStack();
  const prefix = stack === undefined ? process.env['EVENTS_PREFIX'] : stack.eventsPrefix;
  return { url: setting('AMQP_URL', stack?.brokerUrl), prefix: prefix ?? '' };
}

function found(events: ParkedEvent[], id: string): ParkedEvent[] {
  if (events.length === 0) throw new AdminError(`No event ${id} is parked.`, 1);
  return events;
}

async function parked([verb, ...args]: string[]): Promise<number> {
  const { json, ...options } = parseOptions(args);
  const events = await runParked(verb, options);
  const shown = verb === 'show' ? events : events.map(({ body: _body, ...rest }) => rest);
  if (json === true) console.log(JSON.stringify(shown));
  else if (verb === 'show') for (const event of shown) console.log(event);
  else console.table(shown);
  return 0;
}

function parseOptions(args: string[]) {
  try {
    const options = { id: { type: 'string' }, all: { type: 'boolean' }, json: { type: 'boolean' } } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new AdminError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, 64);
  }
}

async function admin(args: string[]): Promise<number> {
  const [noun = ''] = args;
  if (noun === 'help' || noun === '--help' || noun === '-h') {
    process.stdout.write(USAGE);
    return 0;
  }
  if (noun === 'parked') return parked(args.slice(1));
  const owner = Object.hasOwn(OWNERS, noun) ? OWNERS[noun] : undefined;
  if (owner === undefined) throw new AdminError(USAGE, 64);
  return runInService(owner, args);
}

try {
  process.exitCode = await admin(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof AdminError ? error.exitCode : 1;
}

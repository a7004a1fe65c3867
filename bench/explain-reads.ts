import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { ReadCase } from './read-cases.ts';

/** The plans of the statements of one request. */
export interface Explained {
  name: string;
  path: string;
  plans: string[];
}

const UNTIL_LOGGED_MS = 60;

/**
 * Lets Postgres itself write down how it carried out each statement of one request of every case, because these are the statements and the
 * plans of the running service. Returns nothing where the server is not ours to ask, or its log is not here.
 */
export async function explainReads(
  client: pg.Client,
  {
    cases,
    ask,
    logFile,
  }: { cases: ReadCase[]; ask: (one: ReadCase, path: string) => Promise<unknown>; logFile: string },
): Promise<Explained[]> {
  const role = await readingRole(client);
  if (role === undefined || !(await explaining(client, role))) return [];
  const explained: Explained[] = [];
  for (const one of cases) {
    const [path = ''] = one.paths;
    // Reconnects and makes plans, so that the second request shows no more than its own statements.
    await ask(one, path);
    await sleep(UNTIL_LOGGED_MS);
    const from = sizeOf(logFile);
    await ask(one, path);
    await sleep(UNTIL_LOGGED_MS);
    explained.push({ name: one.name, path, plans: plansIn(readFrom(logFile, from)) });
  }
  await client.query(`alter role ${role} reset all`);
  return explained;
}

async function readingRole(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ role: string }>(
    `select distinct quote_ident(usename) as role from pg_stat_activity where application_name like 'reporting reads of %'`,
  );
  return rows[0]?.role;
}

async function explaining(client: pg.Client, role: string): Promise<boolean> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_buffers': 'off',
  };
  try {
    await client.query("load 'auto_explain'");
    for (const [name, value] of Object.entries(settings))
      await client.query(`alter role ${role} set ${name} = '${value}'`);
  } catch {
    return false;
  }
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'reporting reads of %'`,
  );
  return true;
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function readFrom(file: string, from: number): string {
  const bytes = Buffer.alloc(Math.max(0, sizeOf(file) - from));
  if (bytes.length === 0) return '';
  const descriptor = openSync(file, 'r');
  readSync(descriptor, bytes, 0, bytes.length, from);
  closeSync(descriptor);
  return bytes.toString('utf8');
}

/** Of ids: they would be most of the page. */
const LONG_LISTS = /'\{[^}']{40,}\}'/g;

/** Each plan from its first node on, without the statement's text and without the time that is in front of each message. */
function plansIn(log: string): string[] {
  return log
    .split(/^(?=\d{4}-\d\d-\d\d )/m)
    .filter((message) => message.includes('plan:'))
    .map((message) => {
      const lines = message.split('\n').map((line) => line.replace(/^\t/, '').replaceAll(LONG_LISTS, "'{…}'"));
      return lines
        .slice(lines.findIndex((line) => /\(cost=/.test(line)))
        .join('\n')
        .trimEnd();
    });
}

/**
 * `npm run bench -- dashboard [--payments 1000000 --rounds 60 --lines 100000]`: an owner of an organization with that many payments opens
 * Home, Cuadre, the list and searches in turn, and exports the newest lines at once and slowly. Prints p50 and p95 of each page, and, for
 * the services that an export goes through, the memory after their start and the peak during it. Each service is a process of its own, and
 * this one is the browser.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@cobro/postgres/with-client.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { acceptInvitation } from '@cobro/testing/test-people.ts';
import { Agent, fetch } from 'undici';
import { runCommand } from '../dev/seed/run-command.ts';
import { seedHistory } from '../dev/seed/seed-history.ts';
import type { Stack } from '../dev/stack/stack.ts';
import { optionsOf, print, runOnQuietStack, say } from './bench-program.ts';
import { percentile, tableOf } from './figures.ts';
import { type Memory, memoryOf, resetPeaks } from './memory.ts';
import { untilQuiet } from './quiet.ts';

const { payments, rounds, lines } = optionsOf({ payments: 1_000_000, rounds: 60, lines: 100_000 });

/** The first rounds compile code, connect and make plans. */
const WARM_UP = 5;
/** The organization's part of all payments. */
const SHARE = 0.95;
const EXPORTS_THROUGH = ['dashboard', 'gateway', 'reporting'];
/** Bytes a second. */
const READERS: readonly [how: string, perSecond: number][] = [
  ['at once', Number.POSITIVE_INFINITY],
  ['at 1 MB a second', 1e6],
];

async function bench(stack: Stack): Promise<void> {
  const started = memoryOf(stack.processes.pids());
  const seeded = { ...stack, apiKey: stack.merchants.apiKey, giantShare: SHARE };
  await seedHistory(seeded, Math.ceil(payments / SHARE), say);
  await untilQuiet(stack);
  const browser = await signIn(stack);
  const pages = await pagesOf(stack);
  const took = new Map(pages.map(({ name }) => [name, [] as number[]]));
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const { name, paths } of pages) {
      const ms = await open(browser, paths[(round + WARM_UP) % paths.length] ?? '/');
      if (round >= 0) took.get(name)?.push(ms);
    }
  }
  const rows = [...took].map(([name, all]) => [name, ...[0.5, 0.95].map((share) => percentile(all, share).toFixed(0))]);
  print(tableOf(['page', 'p50, ms', 'p95, ms'], rows));
  print(`\n${missing.length} pages lacked a part${missing.length > 0 ? `, the first: ${missing[0]}` : ''}`);
  await exportNewest(stack, browser, started);
}

async function signIn({ databaseUrl, dashboardUrl, merchants }: Stack): Promise<TestBrowser> {
  const invited = ['--email', 'bench@example.com', '--role', 'owner', '--organization', merchants.organizationId];
  const { link } = (await runCommand(databaseUrl, 'people', 'invite', ...invited)) as unknown as { link: string };
  return (await acceptInvitation(dashboardUrl, link)).browser;
}

interface Page {
  name: string;
  /** Opened one after the other, so that different rows are read each time. */
  paths: string[];
}

/** Pages with values of existing payments. */
async function pagesOf({ databaseUrl, merchants }: Stack): Promise<Page[]> {
  const { rows } = await withClient({ connectionString: databaseUrl }, async (client) => {
    const { rows: counted } = await client.query<{ payments: string }>(
      'select count(*) as payments from reporting.payment where organization_id = $1',
      [merchants.organizationId],
    );
    say(`${counted[0]?.payments} payments of the organization`);
    return client.query<{ code: string; amount: string; email: string | null; digits: string; day: string }>(
      `select operation_code::text as code, (amount * 0.01)::numeric(14, 2)::text as amount, billing ->> 'email' as email,
         last_four_digits as digits, to_char(created_at, 'YYYY-MM-DD') as day
       from reporting.payment tablesample bernoulli (1) where organization_id = $1 and status is not null limit 16`,
      [merchants.organizationId],
    );
  });
  const searching = (name: string, typed: (string | null)[]) => ({
    name: `search: ${name}`,
    paths: typed.filter((one) => one !== null).map((one) => `/payments?q=${encodeURIComponent(one)}`),
  });
  return [
    { name: 'Home', paths: ['/'] },
    { name: 'Cuadre, a month', paths: ['/deposits', ...rows.map(({ day }) => `/deposits?month=${day.slice(0, 7)}`)] },
    { name: 'list', paths: ['/payments'] },
    {
      name: 'list, a status',
      paths: ['PAID', 'REFUNDED', 'HOLD_EXPIRED'].map((status) => `/payments?status=${status}`),
    },
    { name: 'list, dates', paths: rows.map(({ day }) => `/payments?from=2025-01-10&to=${day}`) },
    searching(
      'operation code',
      rows.map(({ code }) => code),
    ),
    searching(
      'amount',
      rows.map(({ amount }) => amount),
    ),
    searching(
      'last four digits',
      rows.map(({ digits }) => digits),
    ),
    searching(
      'e-mail',
      rows.map(({ email }) => email),
    ),
  ];
}

/** Pages that said that a part is not available now. */
const missing: string[] = [];

async function open(browser: TestBrowser, path: string): Promise<number> {
  const began = performance.now();
  const { status, html } = await browser.get(path);
  if (status !== 200 || html.includes('empty missing')) missing.push(`${path} ${status}`);
  return performance.now() - began;
}

/** Exports the newest lines, read at once and slowly. Keeps none of them. */
async function exportNewest(
  { dashboardUrl, databaseUrl, processes, merchants }: Stack,
  { cookies }: TestBrowser,
  started: Record<string, Memory>,
) {
  const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  const from = await madeBefore(databaseUrl, merchants.organizationId, lines);
  // A browser waits for ever.
  const dispatcher = new Agent({ bodyTimeout: 0 });
  const rows: string[][] = [
    ['(after the start)', '', '', '', ...EXPORTS_THROUGH.map((name) => started[name]?.now.toFixed(0) ?? '')],
  ];
  for (const [how, perSecond] of READERS) {
    resetPeaks(processes.pids());
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1_000;
    const answer = await fetch(`${dashboardUrl}/payments.csv?from=${from}`, { headers, dispatcher });
    let [ends, bytes] = [0, 0];
    for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      for (const byte of chunk) if (byte === 10) ends++;
      bytes += chunk.length;
      const aheadMs = (bytes / perSecond - seconds()) * 1_000;
      if (aheadMs > 0) await sleep(aheadMs);
    }
    const memory = memoryOf(processes.pids());
    const most = EXPORTS_THROUGH.map((name) => memory[name]?.peak.toFixed(0) ?? '');
    rows.push([how, String(ends - 1), (bytes / 1e6).toFixed(1), seconds().toFixed(1), ...most]);
  }
  const services = EXPORTS_THROUGH.map((name) => `${name}, MB`);
  print(`\n${tableOf(['an export, read', 'lines', 'MB', 'seconds', ...services], rows)}`);
  await dispatcher.close();
}

/** A time after which the organization has about that many payments. */
async function madeBefore(databaseUrl: string, organizationId: string, count: number): Promise<string> {
  const { rows } = await withClient({ connectionString: databaseUrl }, (client) =>
    client.query<{ createdAt: Date }>(
      `select created_at as "createdAt" from reporting.payment where organization_id = $1 and status is not null
     order by created_at desc offset $2 limit 1`,
      [organizationId, count],
    ),
  );
  return rows[0]?.createdAt.toISOString() ?? '';
}

await runOnQuietStack(bench);

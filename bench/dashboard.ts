/**
 * `npm run bench -- dashboard [--payments 1000000 --rounds 60]`: an owner of an organization with that many payments opens Home, Cuadre, the
 * list and searches in turn, and exports all of it. Prints p50 and p95 of each page, and the most memory of the services that an export
 * goes through. Each service is a process of its own, and this one is the browser.
 */
import pg from 'pg';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { acceptInvitation } from '@cobro/testing/test-people.ts';
import { Agent, fetch } from 'undici';
import { runCommand } from '../dev/seed/run-command.ts';
import { seedHistory } from '../dev/seed/seed-history.ts';
import type { Stack } from '../dev/stack/stack.ts';
import { optionsOf, print, runBench, say, startQuietStack } from './bench-program.ts';
import { percentile } from './figures.ts';
import { memoryOf } from './memory.ts';

const { payments, rounds } = optionsOf({ payments: 1_000_000, rounds: 60 });

/** The first rounds compile code, connect and make plans. */
const WARM_UP = 5;
/** Of all payments, of the organization. */
const SHARE = 0.95;
const EXPORTS_THROUGH = ['dashboard', 'gateway', 'reporting'];

async function bench(): Promise<void> {
  const stack = await startQuietStack();
  try {
    const seeded = { ...stack, apiKey: stack.merchants.apiKey, giantShare: SHARE };
    await seedHistory(seeded, Math.ceil(payments / SHARE), say);
    const browser = await signIn(stack);
    const pages = await pagesOf(stack);
    const took = new Map(pages.map(({ name }) => [name, [] as number[]]));
    for (let round = -WARM_UP; round < rounds; round++) {
      for (const { name, paths } of pages) {
        const ms = await open(browser, paths[(round + WARM_UP) % paths.length] ?? '/');
        if (round >= 0) took.get(name)?.push(ms);
      }
    }
    print('| page | p50, ms | p95, ms |\n|---|---:|---:|');
    for (const [name, all] of took) {
      print(`| ${name} | ${percentile(all, 0.5).toFixed(0)} | ${percentile(all, 0.95).toFixed(0)} |`);
    }
    print(`\n${missing.length} pages lacked a part${missing.length > 0 ? `, the first: ${missing[0]}` : ''}`);
    await exportAll(stack, browser);
  } finally {
    await stack.stop();
  }
}

async function signIn({ databaseUrl, dashboardUrl, merchants }: Stack): Promise<TestBrowser> {
  const invited = ['--email', 'bench@example.com', '--role', 'owner', '--organization', merchants.organizationId];
  const { link } = (await runCommand(databaseUrl, 'people', 'invite', ...invited)) as unknown as { link: string };
  return (await acceptInvitation(dashboardUrl, link)).browser;
}

interface Page {
  name: string;
  /** Opened one after the other, so that not the same rows are read each time. */
  paths: string[];
}

/** With values of payments that there are. */
async function pagesOf({ databaseUrl, merchants }: Stack): Promise<Page[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{
    code: string;
    amount: string;
    email: string | null;
    digits: string;
    day: string;
  }>(
    `select operation_code::text as code, (amount * 0.01)::numeric(14, 2)::text as amount, billing ->> 'email' as email,
       last_four_digits as digits, to_char(created_at, 'YYYY-MM-DD') as day
     from reporting.payment tablesample bernoulli (1) where organization_id = $1 and status is not null limit 16`,
    [merchants.organizationId],
  );
  const { rows: counted } = await client.query<{ payments: string }>(
    'select count(*) as payments from reporting.payment where organization_id = $1',
    [merchants.organizationId],
  );
  await client.end();
  say(`${counted[0]?.payments} payments of the organization`);
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

/** Reads the file as it comes and keeps none of it. */
async function exportAll({ dashboardUrl, processes }: Stack, { cookies }: TestBrowser): Promise<void> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const before = memoryOf(processes.pids());
  const began = performance.now();
  // A browser has all the time that it wants.
  const dispatcher = new Agent({ bodyTimeout: 0 });
  const answer = await fetch(`${dashboardUrl}/payments.csv`, { headers: { cookie }, dispatcher });
  let [lines, bytes] = [0, 0];
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    for (const byte of chunk) if (byte === 10) lines++;
    bytes += chunk.length;
  }
  await dispatcher.close();
  const seconds = (performance.now() - began) / 1_000;
  print(`\nan export of ${lines - 1} lines, ${(bytes / 1e6).toFixed(1)} MB, in ${seconds.toFixed(1)} s`);
  const after = memoryOf(processes.pids());
  for (const name of EXPORTS_THROUGH) {
    print(
      `MB of ${name}, before / after / most ever: ${[before[name]?.now, after[name]?.now, after[name]?.peak].map((mb) => mb?.toFixed(0)).join(' / ')}`,
    );
  }
}

await runBench(bench);

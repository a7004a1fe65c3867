import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@cobro/testing/free-port.ts';
import { messageOf, Sentence } from '../../dev/stack/servers/server.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { say } from '../bench-program.ts';
import { cacheFolder } from './artifact.ts';
import { medusaApp } from './medusa-app.ts';
import { makeMedusaMerchant } from './medusa-merchant.ts';
import { createPeerDatabase } from './peer-database.ts';
import type { MeasuredSystem, PeerMerchant } from './system.ts';
import { untilAnswers } from './until-answers.ts';

const VERSION = '2.21.2';
const PACKAGES = ['@medusajs/medusa', '@medusajs/framework', '@medusajs/cli'];
const INSTALLED_WITHIN_MS = 15 * 60_000;
const PREPARED_WITHIN_MS = 5 * 60_000;
const STARTED_WITHIN_MS = 3 * 60_000;

/** Installs Medusa with its application in the cache, if it is not there. Returns its folder. @throws Sentence if npm cannot */
export async function fetchMedusa(): Promise<string> {
  const folder = join(cacheFolder, `medusa-${VERSION}`);
  mkdirSync(folder, { recursive: true });
  const dependencies = Object.fromEntries(PACKAGES.map((name) => [name, VERSION]));
  const manifest = JSON.stringify({ name: 'measured-medusa', private: true, dependencies });
  for (const [name, text] of Object.entries({ 'package.json': manifest, ...medusaApp })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  // npm writes this file last, so a folder with it is whole.
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return folder;
  say(`installing Medusa ${VERSION} (700 MB) in ${folder}`);
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await promisify(execFile)('npm', args, { cwd: folder, timeout: INSTALLED_WITHIN_MS });
  } catch (error) {
    throw new Sentence(`npm cannot install Medusa ${VERSION}: ${messageOf(error)}.`);
  }
  return folder;
}

/**
 * Starts Medusa in one process, on a database of its own on the stack's Postgres. Its merchants are one user with one token, who sends
 * several requests at once.
 */
export async function startMedusa(stack: Stack, folder: string, merchants: number): Promise<MeasuredSystem> {
  const secret = () => randomBytes(18).toString('hex');
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    DATABASE_URL: await createPeerDatabase(stack, 'medusa'),
    JWT_SECRET: secret(),
    COOKIE_SECRET: secret(),
    MEDUSA_DISABLE_TELEMETRY: 'true',
  };
  const program = join(folder, 'node_modules/.bin/medusa');
  const medusa = (...args: string[]) =>
    promisify(execFile)(process.execPath, [program, ...args], { cwd: folder, env, timeout: PREPARED_WITHIN_MS });
  const user = { email: 'bench@example.com', password: secret() };
  await medusa('db:migrate', '--skip-scripts', '--execute-safe-links');
  await medusa('user', '-e', user.email, '-p', user.password);
  const port = await freePort();
  const child = stack.run.spawn({
    name: 'medusa',
    command: process.execPath,
    args: [program, 'start', '--host', '127.0.0.1', '--port', String(port)],
    env,
    cwd: folder,
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const log = stack.run.logFile('medusa');
  await untilAnswers(`${baseUrl}/health`, { child, withinMs: STARTED_WITHIN_MS, log });
  const merchant: PeerMerchant = await makeMedusaMerchant(baseUrl, user);
  return {
    name: 'medusa',
    title: `Medusa ${VERSION}`,
    baseUrl,
    merchants: Array.from({ length: merchants }, () => merchant),
    pids: () => ({ Medusa: [child.pid ?? 0] }),
    hasBroker: false,
  };
}

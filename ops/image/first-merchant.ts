import { Writable } from 'node:stream';
import { runAdmin } from '@cobro/service-kit/run-admin.ts';
import { adminTables } from '../admin-tables.ts';
import { needed } from './environment.ts';

/** Two organizations, each under a partner of its own, with a key each. */
export interface Merchants {
  organizationId: string;
  otherOrganizationId: string;
  apiKey: string;
  otherApiKey: string;
  partnerApiKey: string;
  otherPartnerApiKey: string;
}

/** Makes, by the operator's own commands, what a new deployment is tried with: organizations, partners, their keys, and fees. */
export async function makeFirstMerchant(): Promise<Merchants> {
  const merchants = (await run('gateway', ['bootstrap'])) as Merchants;
  for (const organization of [merchants.organizationId, merchants.otherOrganizationId]) {
    await run('payments', ['fees', 'default', '--organization', organization]);
  }
  return merchants;
}

async function run(service: string, args: string[]): Promise<unknown> {
  let output = '';
  const stdout = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      output += chunk.toString();
      done();
    },
  });
  const code = await runAdmin({
    tables: adminTables,
    args: [...args, '--json'],
    env: { DATABASE_URL: needed(`${service.toUpperCase()}_DATABASE_URL`) },
    stdout,
    stderr: process.stderr,
  });
  if (code !== 0) throw new Error(`“${args.join(' ')}” ended with ${code}.`);
  return JSON.parse(output);
}

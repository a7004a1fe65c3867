import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { repositoryFolder } from './run-record.ts';
import type { ServiceName } from './services.ts';

/** Two organizations, each under a partner of its own, with a key each. */
export interface Merchants {
  organizationId: string;
  otherOrganizationId: string;
  partnerId: string;
  otherPartnerId: string;
  apiKey: string;
  otherApiKey: string;
  partnerApiKey: string;
  otherPartnerApiKey: string;
}

/** Made by the services' own commands, as an operator would. `serviceUrls` are the services' database addresses. */
export async function createMerchants(serviceUrls: Record<string, string>): Promise<Merchants> {
  const gateway = (...args: string[]) => runAdmin('gateway', serviceUrls, [...args, '--json']);
  const [one, other] = await Promise.all([
    createMerchant('Panadería La Espiga', 'Grupo Norte', gateway, serviceUrls),
    createMerchant('Café Tacuba', 'Grupo Sur', gateway, serviceUrls),
  ]);
  return {
    organizationId: one.organizationId,
    otherOrganizationId: other.organizationId,
    partnerId: one.partnerId,
    otherPartnerId: other.partnerId,
    apiKey: one.apiKey,
    otherApiKey: other.apiKey,
    partnerApiKey: one.partnerApiKey,
    otherPartnerApiKey: other.partnerApiKey,
  };
}

interface Merchant {
  organizationId: string;
  partnerId: string;
  apiKey: string;
  partnerApiKey: string;
}

async function createMerchant(
  organization: string,
  partner: string,
  gateway: (...args: string[]) => Promise<string>,
  serviceUrls: Record<string, string>,
): Promise<Merchant> {
  const partnerId = idIn(await gateway('partners', 'create', '--name', partner));
  const organizationId = idIn(await gateway('organizations', 'create', '--name', organization, '--partner', partnerId));
  const [apiKey, partnerApiKey] = await Promise.all([
    gateway('keys', 'create', '--organization', organizationId).then(keyIn),
    gateway('keys', 'create', '--partner', partnerId).then(keyIn),
    runAdmin('payments', serviceUrls, ['fees', 'default', '--organization', organizationId]),
  ]);
  return { organizationId, partnerId, apiKey, partnerApiKey };
}

async function runAdmin(service: ServiceName, serviceUrls: Record<string, string>, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', `services/${service}/src/admin.ts`, ...args],
    {
      cwd: repositoryFolder,
      env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: serviceUrls[service] ?? '' },
      timeout: 60_000,
    },
  );
  return stdout;
}

function idIn(json: string): string {
  return (JSON.parse(json) as { id: string }).id;
}

function keyIn(json: string): string {
  return (JSON.parse(json) as { key: string }).key;
}

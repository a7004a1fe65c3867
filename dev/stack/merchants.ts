import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { compiledFolder } from './pack-programs.ts';
import { repositoryFolder } from './run-record.ts';
import type { Merchants } from '../../ops/image/first-merchant.ts';
import type { ServiceName } from '../../services/definitions.ts';

/**
 * Makes merchants with the services' own commands, as an operator would. `serviceUrls` are the services' database addresses. `fileOf` is
 * where a command is packed.
 */
export async function createMerchants(
  serviceUrls: Record<string, string>,
  fileOf: (source: string) => string,
): Promise<Merchants> {
  const run = (service: ServiceName, ...args: string[]) => runAdmin(service, serviceUrls, args, fileOf);
  const merchants = JSON.parse(await run('gateway', 'bootstrap', '--json')) as Merchants;
  await Promise.all(
    [merchants.organizationId, merchants.otherOrganizationId].map((organization) =>
      run('payments', 'fees', 'default', '--organization', organization),
    ),
  );
  return merchants;
}

async function runAdmin(
  service: ServiceName,
  serviceUrls: Record<string, string>,
  args: string[],
  fileOf: (source: string) => string,
): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', fileOf(`services/${service}/src/admin.ts`), ...args],
    {
      cwd: repositoryFolder,
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: compiledFolder,
        DATABASE_URL: serviceUrls[service],
      },
      timeout: 60_000,
    },
  );
  return stdout;
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { compiledFolder } from './pack-programs.ts';
import { repositoryFolder } from './run-record.ts';
import type { Merchants } from '../../ops/image/first-merchant.ts';

/** Makes merchants as an operator would. `serviceUrls` are the services' database addresses. `fileOf` returns where a command is packed. */
export async function createMerchants(
  serviceUrls: Record<string, string>,
  fileOf: (source: string) => string,
): Promise<Merchants> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', fileOf('ops/image/main.ts'), 'first-merchant'],
    {
      cwd: repositoryFolder,
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: compiledFolder,
        GATEWAY_DATABASE_URL: serviceUrls['gateway'],
        PAYMENTS_DATABASE_URL: serviceUrls['payments'],
      },
      timeout: 60_000,
    },
  );
  return JSON.parse(stdout) as Merchants;
}

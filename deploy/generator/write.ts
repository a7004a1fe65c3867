/**
 * `write.ts [--check]`: writes the files of deploy/ that follow from the services' definitions.
 * With --check it writes nothing, but names the files that are out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { NODE_ARGUMENTS, NODE_ENVIRONMENT } from '@cobro/service-kit/node-arguments.ts';
import { composeFile } from './compose.ts';
import { deployedAcquirers, deployedServices } from './deployed-services.ts';
import { valuesSchema } from './values-schema.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
const deploy = path.join(import.meta.dirname, '../../deploy');
const read = (file: string) => {
  try {
    return readFileSync(path.join(deploy, file), 'utf8');
  } catch {
    return '';
  }
};
const json = (content: object) => `${JSON.stringify(content, undefined, 2)}\n`;

const entryPoint = JSON.stringify(['node', ...NODE_ARGUMENTS, '--import', '/app/preload.js', '/app/main.js']);
const environment = Object.entries(NODE_ENVIRONMENT).map(([name, value]) => `${name}=${value}`);
const files: Record<string, string> = {
  'helm/cobro/files/services.json': json(deployedServices()),
  'helm/cobro/files/acquirers.json': json(deployedAcquirers()),
  'helm/cobro/values.schema.json': json(valuesSchema()),
  'helm/cobro-dev/files/services.json': json(Object.keys(deployedServices())),
  'docker/compose.yaml': composeFile(),
  'docker/Dockerfile': read('docker/Dockerfile')
    .replace(/^ENTRYPOINT .*$/m, `ENTRYPOINT ${entryPoint}`)
    .replace(/^ENV MALLOC_ARENA_MAX=.*$/m, `ENV ${environment.join(' ')}`),
};

const stale = Object.keys(files).filter((file) => read(file) !== files[file]);
if (values.check) {
  for (const file of stale)
    console.error(`deploy/${file} is not what the definitions say now: npm run docs -- deploy.`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const file of stale) writeFileSync(path.join(deploy, file), files[file] ?? '');
  console.log(stale.length > 0 ? `written: ${stale.join(', ')}` : 'nothing has changed');
}

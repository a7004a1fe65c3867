/**
 * `compile.ts <folder>`: runs the assembled program once without an environment. It loads all of its modules and ends, and Node writes what
 * it has compiled to `compiled` in the folder. @throws if the program cannot be loaded
 */
import { spawnSync } from 'node:child_process';
import { NODE_ARGUMENTS, NODE_ENVIRONMENT } from '@cobro/service-kit/node-arguments.ts';

const [folder = ''] = process.argv.slice(2);
const { status, stderr } = spawnSync(
  process.execPath,
  [...NODE_ARGUMENTS, '--import', `${folder}/preload.js`, `${folder}/main.js`],
  {
    cwd: folder,
    // With an address for spans, so that telemetry is compiled too; nothing is sent.
    env: {
      ...NODE_ENVIRONMENT,
      NODE_COMPILE_CACHE: `${folder}/compiled`,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    },
    encoding: 'utf8',
  },
);
// 78: the environment is not complete. The operations program has printed its commands and ended with 0.
if (status !== 0 && status !== 78) throw new Error(`the program ended with ${status}: ${stderr}`);

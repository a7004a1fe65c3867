import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { inFull } from '@cobro/testing/in-full.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createTerminal } from '../../dev/stack/create-terminal.ts';
import { repositoryFolder } from '../../dev/stack/run-record.ts';
import { findPackages, findPython } from '../../simulators/localstripe/src/find-programs.ts';
import { stackUnderTest } from '../e2e/stack-under-test.ts';

/** Programs of others read our documents and call the API by them. */
/** The generator needs an older compiler than ours. */
const HEY_API = ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'];
const run = promisify(execFile);

const requirements = path.join(import.meta.dirname, 'requirements.txt');
const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 8);
/** Only in full, because they take minutes. */
const [python, heyApi] = inFull
  ? await Promise.all([
      findPython({ name: `schemathesis-${hash}`, install: ['-r', requirements], module: 'schemathesis' }),
      findPackages(...HEY_API),
    ])
  : [];
for (const [name, found] of Object.entries({ schemathesis: python, '@hey-api/openapi-ts': heyApi }))
  if (inFull && found === undefined)
    process.stderr.write(`Our documents are not tried with ${name}, which cannot be installed.\n`);

const { stack } = stackUnderTest({ telemetry: false });
const folder = mkdtempSync(path.join(tmpdir(), 'cobro-strangers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const documents = [
  ['the main API', '/openapi.json'],
  // A key has 120 requests a minute, so most of these get 429.
  ['the Developer API v1', '/developer/v1/openapi.json'],
  ['the sales partner API', '/openapi.json'],
] as const;

(python === undefined ? describe.skip : describe)('schemathesis finds no failure', () => {
  test.each(documents)(
    'in the document of %s',
    async (name, document) => {
      const { merchants, baseUrl, partnerBaseUrl, databaseUrl } = stack();
      const isPartner = name.includes('partner');
      const { organizationId } = merchants;
      const code = `STRANGER-${crypto.randomUUID()}`;
      const terminal = await createTerminal(databaseUrl, { organizationId, code });
      const url = new URL(document, isPartner ? partnerBaseUrl : baseUrl).href;
      const headers = [
        `x-api-key: ${isPartner ? merchants.partnerApiKey : merchants.apiKey}`,
        `x-terminal-key: ${terminal.key}`,
      ];
      const config = path.join(import.meta.dirname, 'schemathesis.toml');
      const args = ['--config-file', config, 'run', url, '--no-color', '--suppress-health-check', 'all', '--seed', '1'];
      // So that a busy machine is no failure.
      args.push('--request-timeout', '60');
      const sent = run(
        python ?? '',
        [
          '-m',
          'schemathesis.cli',
          ...args,
          '--max-examples',
          '50',
          ...headers.flatMap((header) => ['--header', header]),
        ],
        {
          cwd: folder,
          env: {
            ...process.env,
            PYTHONPATH: import.meta.dirname,
            PYTHONDONTWRITEBYTECODE: '1',
            SCHEMATHESIS_HOOKS: 'hooks',
          },
          maxBuffer: 64_000_000,
        },
      );
      const output = await sent.then(
        ({ stdout }) => stdout,
        (error: { stdout: string; stderr: string }) => `${error.stdout}\n${error.stderr}`,
      );
      expect(output).toMatch(/= (?:No issues found|\d+ warnings?) in /);
      expect(output).not.toMatch(/❌|🚫/);
    },
    2_400_000,
  );
});

const charge = `
import { client } from './generated/client.gen.js';
import { chargePaymentMethod, savePaymentMethod } from './generated/index.js';
client.setConfig({ baseUrl: process.env['BASE_URL'] ?? '', auth: () => process.env['API_KEY'] ?? '' });
const saved = await savePaymentMethod({ body: { card: ${JSON.stringify(cardBody())} }, throwOnError: true });
const charged = await chargePaymentMethod({
  path: { id: saved.data.id },
  body: { amount: 250.5, externalId: crypto.randomUUID() },
  throwOnError: true,
});
console.log(charged.data.status, charged.data.amount);
`;

(heyApi === undefined ? describe.skip : describe)('a client that @hey-api/openapi-ts generates', () => {
  test('compiles and charges', async () => {
    const files = {
      // Node wants file extensions in imports.
      'openapi-ts.config.mjs': `export default ${JSON.stringify({
        input: path.join(repositoryFolder, 'docs/generated/openapi-main.json'),
        output: { path: 'generated', module: { extension: '.js' } },
      })};`,
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          strict: true,
          module: 'nodenext',
          target: 'es2023',
          lib: ['es2023', 'dom', 'dom.iterable'],
          types: ['node'],
          typeRoots: [path.join(repositoryFolder, 'node_modules/@types')],
          skipLibCheck: true,
        },
        files: ['charge.ts'],
      }),
      'package.json': '{ "type": "module" }',
      'charge.ts': charge,
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
    const generator = path.join(heyApi ?? '', 'node_modules/@hey-api/openapi-ts/bin/run.js');
    await run(process.execPath, [generator, '--silent'], { cwd: folder });
    await run(path.join(repositoryFolder, 'node_modules/.bin/tsc'), ['--outDir', 'built'], { cwd: folder });
    const env = { ...process.env, BASE_URL: stack().baseUrl, API_KEY: stack().merchants.apiKey };
    const { stdout } = await run(process.execPath, ['built/charge.js'], { cwd: folder, env });
    expect(stdout).toBe('CONFIRMED 250.5\n');
  }, 180_000);
});

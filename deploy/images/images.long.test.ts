import { execFile, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { promisify } from 'node:util';
import { newId } from '@cobro/contracts/ids.ts';
import { outsidePath } from '@cobro/contracts/route.ts';
import { mainContracts, partnerContracts } from '@cobro/contracts/routes.ts';
import { freePort } from '@cobro/testing/free-port.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { adapterSecrets } from '@cobro/testing/start-stripe-adapter.ts';
import { testDatabase } from '@cobro/testing/test-database.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { testProcess } from '@cobro/testing/test-process.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { schema } from '../../acquirers/stripe/src/schema.ts';
import { pack } from './pack.ts';
import { programOf } from './programs.ts';
import { type ServiceName, serviceNames } from '../../services/definitions.ts';

jest.setTimeout(900_000);

/** In the short form, those with files of their own: the reference, the checkout and the dashboard. */
const assembled: ServiceName[] = inFull ? [...serviceNames] : ['gateway', 'payments', 'dashboard'];

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'cobro-images-'));
const source = join(folder, 'source');
const run = promisify(execFile);

/** Copies what the Docker daemon gets: the last pattern that fits a file or a folder above it says whether the file stays out. */
function copySource(): void {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const staysOut = (file: string) =>
    patterns.findLast((pattern) => {
      const glob = pattern.replace(/^!/, '');
      return matchesGlob(file, glob) || matchesGlob(file, `${glob}/**`);
    });
  const isTop = (file: string) => /^(?:node_modules|\.git|\.stack)$/.test(file);
  for (const entry of globSync('**', { cwd: root, exclude: ({ name }) => isTop(name), withFileTypes: true })) {
    const file = relative(root, join(entry.parentPath, entry.name));
    if (!entry.isFile() || !(staysOut(file)?.startsWith('!') ?? true)) continue;
    mkdirSync(join(source, dirname(file)), { recursive: true });
    copyFileSync(join(root, file), join(source, file));
  }
  linkPackages();
}

/** As npm does it: third-party packages, and links to our packages in the copy. */
function linkPackages(): void {
  const [from, to] = [join(root, 'node_modules'), join(source, 'node_modules')];
  mkdirSync(join(to, '@cobro'), { recursive: true });
  for (const name of readdirSync(from).filter((one) => one !== '@cobro')) symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(from, '@cobro')).map((one) => `@cobro/${one}`)) {
    symlinkSync(readlinkSync(join(from, name)), join(to, name));
  }
}

/** As the Dockerfile does it. */
async function assemble(image: string): Promise<string> {
  const out = join(folder, image);
  const quiet = '--disable-warning=ExperimentalWarning';
  await run(process.execPath, [quiet, join(source, 'deploy/images/assemble.ts'), image, out]);
  await run(process.execPath, [quiet, join(source, 'deploy/images/compile.ts'), out]);
  return out;
}

beforeAll(() => copySource());
afterAll(() => rmSync(folder, { recursive: true }));

describe('the files of the images of services', () => {
  let services: RunningServices;
  let partnerUrl: string;
  beforeAll(async () => {
    for (const service of assembled) await assemble(service);
    const partnerPort = await freePort();
    partnerUrl = `http://127.0.0.1:${partnerPort}`;
    services = await startServices({
      services: assembled,
      images: folder,
      env: { PARTNER_PORT: String(partnerPort), PEOPLE_PORT: String(await freePort()) },
    });
  });
  afterAll(() => services?.stop());

  test('answer every route that needs no key', async () => {
    const open = (contracts: typeof mainContracts, documents: string[]) => [
      ...['/health/live', '/health/ready', ...documents].map((path) => ({ method: 'GET', path, status: 200 })),
      ...contracts
        .filter(({ who }) => who === 'public')
        .map((contract) => ({
          method: contract.method,
          path: outsidePath(contract).replaceAll(/:\w+/g, newId()),
          status: undefined,
        })),
    ];
    const asked = [
      ...open(mainContracts, [
        '/openapi.json',
        '/developer/v1/openapi.json',
        '/asyncapi.json',
        '/reference/index.html',
      ]).map((one) => ({
        ...one,
        url: services.url('gateway'),
      })),
      ...open(partnerContracts, ['/openapi.json']).map((one) => ({ ...one, url: partnerUrl })),
      ...assembled.flatMap((service) =>
        ['/health/live', '/health/ready'].map((path) => ({
          method: 'GET',
          path,
          status: 200,
          url: services.url(service),
        })),
      ),
    ];
    for (const { method, url, path, status } of asked) {
      const answer = await fetch(`${url}${path}`, { method });
      await answer.arrayBuffer();
      const known = status === undefined ? answer.status < 500 : answer.status === status;
      expect({ method, path, known, status: answer.status }).toMatchObject({ known: true });
    }
  });

  test('have the checkout page’s script', async () => {
    const page = await fetch(`${services.url('gateway')}/checkout/${newId()}`);
    expect(page.status).toBe(404);
    const [, script] = /<script src="([^"]+)"/.exec(await page.text()) ?? [];
    expect((await fetch(`${services.url('gateway')}${script}`)).status).toBe(200);
  });
});

testInFull('the files of the bank simulator’s image are a bank', async () => {
  const out = await assemble('bank');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { HOST: '127.0.0.1', PORT: String(port), LEDGER_PATH: join(out, 'ledger.sqlite'), DRAIN_DELAY_MS: '0' };
  const bank = testProcess({ main: `${out}/main.js`, preload: [`${out}/preload.js`], env, url });
  await bank.start();
  expect((await fetch(`${url}/operations`)).status).toBeLessThan(500);
  await bank.kill();
});

testInFull('the files of the Stripe adapter’s image are an acquirer', async () => {
  const out = await assemble('stripe');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const database = await testDatabase(schema);
  const adapter = testProcess({
    main: `${out}/main.js`,
    preload: [`${out}/preload.js`],
    env: {
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: database.url,
      DRAIN_DELAY_MS: '0',
      ...adapterSecrets(),
    },
    url,
  });
  await adapter.start();
  expect((await fetch(`${url}/v1/capabilities`)).status).toBe(401);
  await adapter.kill();
  await database.drop();
});

test('the files of the operations image have every command, and the migrations', async () => {
  const out = await assemble('operations');
  const { stdout } = await run(process.execPath, ['--import', `${out}/preload.js`, `${out}/main.js`, 'help']);
  for (const command of ['secrets', 'migrate', 'trace', 'admin'])
    expect(stdout).toMatch(new RegExp(`^${command}`, 'm'));
  const admin = await run(process.execPath, ['--import', `${out}/preload.js`, `${out}/main.js`, 'admin', 'help']);
  expect(admin.stdout).toContain('reconcile');
  const migrations = [...serviceNames.map((service) => `services/${service}`), 'acquirers/stripe'].map(
    (owner) => globSync(`${owner}/migrations/*.sql`, { cwd: out }).length,
  );
  expect(migrations.filter((count) => count === 0)).toEqual([]);
});

describe('an image of payments', () => {
  test('holds what its program reaches, and no code of another service, of tests or of operators', async () => {
    const out = join(folder, 'payments-alone');
    const programs = { main: programOf(root, 'payments') };
    const files = await pack({ root, programs, out, rootWhenRun: 'import.meta.url' });
    expect(files).toContain('services/payments/src/payments/charge-payment-method.ts');
    expect(files).toContain('libs/bank/src/journal.ts');
    expect(files).toContainEqual(expect.stringContaining('node_modules/pg/'));
    const strange =
      /^(?:services\/(?!payments)|ops|deploy|dev|test|bench)|\.test\.|node_modules\/(?:jest|esbuild|node-pg-migrate)/;
    expect(files.filter((file) => strange.test(file))).toEqual([]);
  });

  test('has a bill of materials with licence and hash of each package, and the licences', () => {
    const out = join(folder, 'payments');
    const { components } = JSON.parse(readFileSync(join(out, 'sbom.cdx.json'), 'utf8')) as {
      components: {
        type: string;
        name: string;
        version: string;
        licenses?: object[];
        hashes?: { content: string }[];
      }[];
    };
    const libraries = components.filter(({ type }) => type === 'library');
    expect(libraries.map(({ name }) => name)).toEqual(expect.arrayContaining(['express', 'pg', 'amqplib', 'zod']));
    const incomplete = libraries.filter(
      ({ licenses, hashes }) => licenses?.length !== 1 || !/^[0-9a-f]{128}$/.test(hashes?.[0]?.content ?? ''),
    );
    expect(incomplete).toEqual([]);
    expect(JSON.stringify(libraries)).not.toMatch(/NOASSERTION|@grpc/);
    const { version } = libraries.find(({ name }) => name === 'express') ?? {};
    expect(existsSync(join(out, 'licences', `express@${version}`, 'LICENSE'))).toBe(true);
  });

  test('finds the lines of a stack in the sources', async () => {
    const out = join(folder, 'payments');
    const main = readFileSync(join(out, 'main.js'), 'utf8');
    const before = main.slice(0, main.indexOf('The environment is not complete')).split('\n');
    const frame = `at somewhere (file://${out}/main.js:${before.length}:${before.at(-1)?.length})`;
    const lines = execFileSync(process.execPath, [`${out}/lines.js`], {
      input: `Error: lost\n    ${frame}\n    at file://${out}/other.js:1:2\n`,
      encoding: 'utf8',
    });
    expect(lines).toMatch(
      /^Error: lost\n {4}at somewhere \(\S*libs\/service-kit\/src\/config\.ts:\d+:\d+\)\n {4}at file:\S+\/other\.js:1:2\n$/,
    );
  });
});

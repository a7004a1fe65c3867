import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTerminal } from '../../dev/stack/create-terminal.ts';
import { contentOf } from '../../dev/stack/demo-file.ts';
import { repositoryFolder } from '../../dev/stack/run-record.ts';
import { guideScript } from './guide-script.ts';
import type { StackUnderTest } from './stack-under-test.ts';

const folder = path.join(repositoryFolder, 'docs/guides');
/** The other guides continue from it. */
const FIRST = 'first-capture.md';
const pageOf = (guide: string) => readFileSync(path.join(folder, guide), 'utf8');
const others = globSync('*.md', { cwd: folder }).filter((file) => file !== FIRST && file !== 'README.md');

/** Follows each guide as a reader does: in a folder outside the repository, with the packed client, on the Node that runs npm. */
export function guides({ stack }: StackUnderTest): void {
  const outside = mkdtempSync(path.join(tmpdir(), 'cobro-guides-'));
  const shop = path.join(outside, 'shop');
  const demoFile = path.join(outside, 'demo.json');
  beforeAll(async () => {
    const { organizationId } = stack().merchants;
    const terminal = await createTerminal(stack().databaseUrl, { organizationId, code: 'GUIDE-1' });
    writeFileSync(demoFile, JSON.stringify(contentOf(stack(), terminal, {})));
  });
  afterAll(() => rmSync(outside, { recursive: true }));

  /** Runs the blocks of a guide one after the other, in this test's folders instead of the guide's. */
  async function follow(guide: string, cwd: string) {
    const { script, prints } = guideScript(pageOf(guide));
    const here = script.replaceAll('$PWD/.stack/demo.json', demoFile).replaceAll('../shop', shop);
    const child = spawn('bash', ['-euo', 'pipefail', '-c', here], {
      cwd,
      // A reader's Node is not ours.
      env: {
        ...process.env,
        PATH: pathWithoutBinaries(),
        npm_config_offline: 'true',
        STACK: demoFile,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    const printed = stdout.split('\n').filter((line) => prints.includes(line));
    return { code: code as unknown, stderr: code === 0 ? '' : stderr, printed };
  }
  /** The expected result: the lines that the guide says are printed, in order. */
  const asItSays = (guide: string) => ({ code: 0, stderr: '', printed: guideScript(pageOf(guide)).prints });

  test(`the guide ${FIRST}: packs the client, installs it without a network, holds and captures`, async () => {
    expect(await follow(FIRST, repositoryFolder)).toEqual(asItSays(FIRST));
    const installed = readFileSync(path.join(shop, 'node_modules/@cobro/client/package.json'), 'utf8');
    expect(JSON.parse(installed)).not.toHaveProperty('dependencies');
  });

  test('the types of the packed client need nothing but those of Node', async () => {
    mkdirSync(path.join(shop, 'typed'), { recursive: true });
    const program =
      "import { createClient, type Event } from '@cobro/client';\nexport const check = (event: Event) => createClient;\n";
    writeFileSync(path.join(shop, 'typed/check.mts'), program);
    const types = ['--types', 'node', '--typeRoots', path.join(repositoryFolder, 'node_modules/@types')];
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck', 'false'];
    const child = spawn(
      path.join(repositoryFolder, 'node_modules/.bin/tsc'),
      [...options, ...types, 'typed/check.mts'],
      {
        cwd: shop,
      },
    );
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect(output).toBe('');
  });

  test.each(others)('the guide %s', async (guide) => {
    expect(await follow(guide, shop)).toEqual(asItSays(guide));
  });
}

const pathWithoutBinaries = () =>
  (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((dir) => !dir.endsWith(path.join('node_modules', '.bin')))
    .join(path.delimiter);

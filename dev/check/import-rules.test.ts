import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';

const LIBS = ['contracts', 'domain', 'postgres', 'events', 'bank', 'service-kit', 'frame', 'testing'];
const trees: string[] = [];

afterAll(() => {
  for (const tree of trees) rmSync(tree, { recursive: true });
});

/** A repository of its own with every lib and these sources. */
function plant(sources: Record<string, string>): string {
  const tree = mkdtempSync(path.join(tmpdir(), 'cobro-imports-'));
  trees.push(tree);
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
    writeFileSync(path.join(tree, file), text);
  };
  mkdirSync(path.join(tree, 'node_modules/@cobro'), { recursive: true });
  for (const lib of LIBS) {
    const folder = lib === 'testing' ? 'test/support' : `libs/${lib}`;
    write(
      `${folder}/package.json`,
      JSON.stringify({ name: `@cobro/${lib}`, type: 'module', exports: { './*.ts': './src/*.ts' } }),
    );
    write(`${folder}/src/thing.ts`, 'export type Thing = 1;\nexport const thing = 1;\n');
    symlinkSync(`../../${folder}`, path.join(tree, 'node_modules/@cobro', lib));
  }
  for (const name of ['zod', 'luxon', 'express']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
    write(`node_modules/${name}/index.js`, '');
  }
  for (const [file, text] of Object.entries(sources)) write(file, text);
  return tree;
}

function check(tree: string): { status: number | null; complaints: string } {
  const { status, stderr } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'imports.ts'), tree], {
    encoding: 'utf8',
  });
  return { status, complaints: stderr };
}

const importing = (specifier: string) => `import { thing } from '${specifier}';\nexport const used = thing;\n`;
const nothing = 'export const thing = 1;\n';

/** [file, its import, the rule against it] */
const forbidden: [string, string, string][] = [
  ['libs/contracts/src/a.ts', '@cobro/domain/thing.ts', 'libs/contracts'],
  ['libs/contracts/src/b.ts', 'express', 'libs/contracts: packages'],
  ['libs/contracts/src/c.ts', 'node:fs', 'libs/contracts: modules of Node'],
  ['libs/domain/src/a.ts', 'node:crypto', 'libs/domain: modules of Node'],
  ['libs/domain/src/b.ts', 'zod', 'libs/domain: packages'],
  ['libs/postgres/src/a.ts', '@cobro/contracts/thing.ts', 'libs/postgres'],
  ['libs/events/src/a.ts', '@cobro/bank/thing.ts', 'libs/events'],
  ['libs/events/src/b.ts', '../../contracts/src/thing.ts', 'libs by name'],
  ['libs/service-kit/src/a.ts', '@cobro/postgres/thing.ts', 'libs/service-kit: types of libs/postgres only'],
  ['services/holds/src/a.ts', '@cobro/testing/thing.ts', 'services/*'],
  ['services/holds/src/b.ts', '../../payments/src/deps.ts', 'services/*'],
  ['services/holds/src/c.test.ts', '../../payments/src/deps.ts', 'services/*: tests'],
  ['services/holds/src/d.ts', '../../../simulators/bank/src/ledger.ts', 'services/*'],
  ['services/holds/src/e.ts', '../../../dev/thing.ts', 'services/*'],
  ['services/holds/src/hold.rules.ts', 'zod', 'rules: packages'],
  ['services/holds/src/window.rules.ts', '@cobro/postgres/thing.ts', 'rules: libs'],
  ['services/holds/src/expiry.rules.ts', './hold.store.ts', 'rules: never '],
  ['services/holds/src/hold.store.ts', './release-hold.ts', 'store: never '],
  ['services/holds/src/capture-hold.ts', './release-hold.ts', 'use case: never '],
  ['services/holds/src/later/list-holds.ts', '../release-hold.ts', 'use case: never '],
  ['services/holds/src/on-hold-placed.ts', './on-hold-released.ts', 'consumer: never '],
  ['services/holds/src/app.ts', './main.ts', 'app: never '],
  ['services/holds/src/f.ts', './lost.ts', 'no unknown imports'],
  ['services/holds/src/g.ts', './c.test.ts', 'no imports of tests'],
  ['services/holds/src/circle.ts', './circular.ts', 'no circles'],
  ['simulators/bank/src/a.ts', '@cobro/bank/thing.ts', 'simulators/*'],
  ['web/checkout/src/a.ts', '@cobro/postgres/thing.ts', 'web/*'],
  ['web/checkout/src/b.ts', 'zod', 'web/*: packages'],
  ['web/checkout/src/c.ts', 'node:http', 'web/*: modules of Node'],
  ['web/checkout/src/page.ts', 'node:fs', 'pages read no files'],
  ['ops/a.ts', '../dev/thing.ts', 'ops'],
  ['ops/b.ts', '@cobro/testing/thing.ts', 'ops'],
  ['dev/a.ts', '../services/payments/src/deps.ts', 'dev'],
  ['test/support/src/a.ts', '../../../dev/thing.ts', 'test/support'],
];

describe('the import check', () => {
  const bystanders = {
    'services/payments/src/deps.ts': nothing,
    'services/holds/src/release-hold.ts': nothing,
    'services/holds/src/on-hold-released.ts': nothing,
    'services/holds/src/main.ts': nothing,
    'services/holds/src/circular.ts': importing('./circle.ts'),
    'simulators/bank/src/ledger.ts': nothing,
    'dev/thing.ts': nothing,
  };
  /** An app.ts that binds these to contracts and imports main.ts. */
  const app = ['capture-hold', 'release-hold', 'later/list-holds']
    .map((file, i) => `import { useCase${i} } from './${file}.ts';\nroute(contract, useCase${i});\n`)
    .join('');
  const planted = forbidden.map(([file, specifier]) => [
    file,
    file.endsWith('app.ts') ? `${app}${importing(specifier)}` : importing(specifier),
  ]);
  const { status, complaints } = check(plant({ ...bystanders, ...Object.fromEntries(planted) }));

  test('fails when an import is forbidden', () => {
    expect(status).toBe(1);
  });

  test.each(forbidden)('does not let %s import %s', (file, _specifier, rule) => {
    const ofFile = complaints.split(/\n(?=\S)/).filter((complaint) => complaint.startsWith(`${file} → `));
    expect(ofFile.join('\n')).toContain(`against "${rule}`);
  });

  test('lets every part import what its row grants', () => {
    const tree = plant({
      'libs/contracts/src/a.ts': importing('zod'),
      'libs/contracts/src/b.ts': importing('node:crypto'),
      'libs/domain/src/a.ts': importing('luxon'),
      'libs/events/src/a.ts': importing('@cobro/postgres/thing.ts'),
      'libs/events/src/a.test.ts': importing('@cobro/testing/thing.ts'),
      'libs/service-kit/src/a.ts': `import type { Thing } from '@cobro/postgres/thing.ts';\nexport type Used = Thing;\n`,
      'services/holds/src/hold.rules.ts': importing('@cobro/domain/thing.ts'),
      'services/holds/src/hold.store.ts': importing('./hold.rules.ts'),
      'services/holds/src/capture-hold.ts': importing('./hold.store.ts'),
      'services/holds/src/capture-hold.test.ts': importing('@cobro/testing/thing.ts'),
      'services/holds/src/app.ts': importing('./capture-hold.ts'),
      'services/holds/src/service.ts': nothing,
      'services/definitions.ts': importing('./holds/src/service.ts'),
      'simulators/bank/src/app.ts': importing('@cobro/service-kit/thing.ts'),
      'web/checkout/src/page.ts': importing('@cobro/contracts/thing.ts'),
      'web/checkout/src/assets.ts': importing('node:fs'),
      'ops/retell.test.ts': importing('@cobro/testing/thing.ts'),
      'dev/migrate.ts': importing('../services/definitions.ts'),
      'test/e2e/holds.test.ts': importing('../../dev/migrate.ts'),
    });
    expect(check(tree)).toEqual({ status: 0, complaints: '' });
  });

  test('fails where it finds nothing to read', () => {
    const empty = mkdtempSync(path.join(tmpdir(), 'cobro-imports-'));
    trees.push(empty);
    expect(check(empty)).toMatchObject({ status: 1, complaints: expect.stringContaining('no source files') });
  });
});

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { billOfMaterials } from './bill-of-materials.ts';
import { installedPackages } from './packages.ts';
import { definitions } from '../../services/definitions.ts';
import { javaScriptOf, reach } from './modules.ts';
import { PRELOADED, programOf } from './programs.ts';

const root = join(import.meta.dirname, '../..');
const images = [...definitions.map(({ name }) => name), 'bank', 'stripe', 'operations'];

describe('javaScriptOf', () => {
  test('takes the types out and keeps every line where it was', () => {
    const source = "import type { A } from './a.ts';\nimport { b } from './b.ts';\n\nexport const c: A = b as A;\n";
    const { code, imported } = javaScriptOf(source);
    expect(imported).toEqual(['./b.ts']);
    expect(code.split('\n')).toHaveLength(source.split('\n').length);
    expect(code).toContain("import { b } from './b.js';");
    expect(code).not.toContain('as A');
  });

  test('follows what is loaded later, and leaves the packages of others as they are', () => {
    const source = "const load = () => import('@cobro/x/y.ts');\nexport { z } from 'package/z.ts';\n";
    const { code, imported } = javaScriptOf(source);
    expect(imported).toEqual(['@cobro/x/y.ts', 'package/z.ts']);
    expect(code).toContain("import('@cobro/x/y.js')");
    expect(code).toContain("'package/z.ts'");
  });

  test('knows an import from a call, a text, a comment and a method that only look like one', () => {
    const source = [
      "import { from } from './a.ts';",
      "export * from './b.ts';",
      "export const rows = from('reporting', (db) => db);",
      "export const text = `import './c.ts'`; // import './d.ts'",
      'export const load = async (loader) => [loader.import(\'./e.ts\'), import.meta.url, import(text), await import("./f.ts")];',
      "import './g.ts';",
    ].join('\n');
    const { code, imported } = javaScriptOf(source);
    expect(imported).toEqual(['./a.ts', './b.ts', './f.ts', './g.ts']);
    expect(code).toBe(source.replaceAll(/(?<=\/[abfg]\.)ts/g, 'js'));
  });
});

describe.each(images)('what the image %s holds', (image) => {
  test('can be worked out, and is all there', () => {
    const { modules, packages } = reach(root, [programOf(root, image), ...PRELOADED]);
    expect(modules.size).toBeGreaterThan(10);
    expect(installedPackages(root, packages).length).toBeGreaterThan(0);
    expect([...modules.keys()].filter((file) => /\.test\./.test(file))).toEqual([]);
  });
});

describe('an image of payments', () => {
  const { modules, packages } = reach(root, ['services/payments/src/main.ts']);

  test('holds what its program reaches, and no code of another service, of tests or of operators', () => {
    const files = [...modules.keys()];
    expect(files).toContain('services/payments/src/payments/charge-payment-method.ts');
    expect(files).toContain('libs/bank/src/journal.ts');
    expect(files.filter((file) => /^(?:services\/(?!payments)|ops|deploy|dev|test|bench)|\.test\./.test(file))).toEqual(
      [],
    );
  });

  test('holds the packages that these need and what those need, and no tool', () => {
    const names = installedPackages(root, packages).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['express', 'body-parser', 'pg', 'pg-protocol', 'amqplib', 'zod']));
    expect(names.filter((name) => /jest|oxlint|typescript|node-pg-migrate/.test(name))).toEqual([]);
  });

  test('has a bill of materials that names each package with its licence and the hash of its content', () => {
    const installed = installedPackages(root, packages);
    const { components } = billOfMaterials(root, 'payments', '1.0.0', installed) as {
      components: { type: string; name: string; licenses?: object[]; hashes?: { alg: string; content: string }[] }[];
    };
    const libraries = components.filter(({ type }) => type === 'library');
    expect(libraries.map(({ name }) => name)).toEqual(installed.map(({ name }) => name));
    const incomplete = libraries.filter(
      ({ licenses, hashes }) => licenses?.length !== 1 || !/^[0-9a-f]{128}$/.test(hashes?.[0]?.content ?? ''),
    );
    expect(incomplete).toEqual([]);
    expect(JSON.stringify(libraries)).not.toContain('NOASSERTION');
  });
});

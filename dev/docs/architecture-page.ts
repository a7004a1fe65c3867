import path from 'node:path';
import { type Part, parts } from '../check/import-table.ts';
import { kinds } from '../check/kind-table.ts';
import { code, page, table } from './markdown.ts';

const EVERY_LIB = 'libs/*';

/** Who may import whom, as `npm run check -- imports` enforces it. */
export function architecturePage(): string {
  return page(
    'Who may import whom',
    'Drawn from `dev/check/import-table.ts` and `dev/check/kind-table.ts`, which `npm run check -- imports` enforces. A part may import ' +
      'itself, what its arrows lead to, and packages that its own `package.json` declares, unless its row names fewer. Tests ' +
      '(`*.test.ts`) may import every lib.',
    '## Parts',
    picture(),
    table(['part', 'may import', 'packages', 'modules of Node', 'because'], parts.map(rowOf)),
    '## Kinds of files in a service or a simulator',
    table(
      ['kind', 'its name', 'never imports', 'libs', 'because'],
      kinds.map(({ name, file, never, libs, because }) => [
        name,
        file === undefined ? 'what `app.ts` imports besides' : code(exampleOf(file)),
        list(never),
        limit(libs),
        because,
      ]),
    ),
  );
}

function rowOf({ folder, imports, typesOf = [], packages, builtins, because }: Part): string[] {
  const granted = [...imports.map(code), ...typesOf.map((other) => `types of ${code(other)}`)];
  return [code(folder), granted.join(', ') || 'nothing', limit(packages), limit(builtins), because];
}

const list = (names: string[]) => names.join(', ') || '–';
/** Absent means no limit of its own; an empty list allows nothing. */
const limit = (names: string[] | undefined) => (names === undefined ? '–' : names.join(', ') || 'none');

/** The table has regular expressions, but a reader wants to see what such a name looks like. */
function exampleOf(file: string): string {
  return file.replaceAll('\\', '').replace('[a-z-]+', file.startsWith('on-') ? '<event>' : '<noun>');
}

/** Arrows to `libs/*` lead to the box of all libs. */
function picture(): string {
  const isLib = ({ folder }: Part) => folder.startsWith('libs/');
  const node = ({ folder }: Part) => `${idOf(folder)}["${folder}"]`;
  return [
    '```mermaid',
    'flowchart TD',
    ...parts.filter((part) => !isLib(part)).map((part) => `  ${node(part)}`),
    `  subgraph ${idOf(EVERY_LIB)}["${EVERY_LIB}"]`,
    ...parts.filter(isLib).map((part) => `    ${node(part)}`),
    '  end',
    ...parts.flatMap(arrowsOf),
    '```',
  ].join('\n');
}

function arrowsOf({ folder, imports, typesOf = [] }: Part): string[] {
  const files = new Map<string, string[]>();
  for (const granted of imports) {
    const [part = granted, file] = granted.split('/src/');
    const to = partAt(part);
    files.set(to, [...(files.get(to) ?? []), ...(file === undefined ? [] : [file])]);
  }
  return [
    ...[...files].map(([to, only]) => {
      const label = only.length > 0 ? `|"${only.join(', ')}"|` : '';
      return `  ${idOf(folder)} -->${label} ${idOf(to)}`;
    }),
    ...typesOf.map((to) => `  ${idOf(folder)} -. types .-> ${idOf(to)}`),
  ];
}

/** The part that a folder or a file belongs to: `services/gateway` to `services/*`. `libs/*` stays the box of all libs. */
function partAt(granted: string): string {
  const within = parts.filter(({ folder }) => granted === folder || granted.startsWith(`${folder}/`));
  const [nearest] = within.toSorted((a, b) => b.folder.length - a.folder.length);
  return nearest?.folder ?? `${path.dirname(granted)}/*`;
}

const idOf = (folder: string) => folder.replaceAll('/*', '').replaceAll(/\W/g, '_');

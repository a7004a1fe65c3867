import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { initSync, parse } from 'es-module-lexer';

/** What an entry file needs, found by following its imports. */
export interface Reached {
  /** JavaScript by the path of the .ts file it was made from, from the root of the repository. */
  modules: Map<string, string>;
  /** Names of the packages of others that these modules import. */
  packages: Set<string>;
}

const OURS = '@cobro/';

/**
 * Follows imports from the entries, and takes the types out of each file without moving a line, so positions in a stack trace are
 * the source's.
 * @param root absolute folder of the repository, with `node_modules/@cobro` linked by npm
 */
export function reach(root: string, entries: readonly string[]): Reached {
  const reached: Reached = { modules: new Map(), packages: new Set() };
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.modules.has(file)) continue;
    const { code, imported } = javaScriptOf(readFileSync(path.join(root, file), 'utf8'));
    reached.modules.set(file, code);
    for (const specifier of imported) {
      const next = fileOf(root, file, specifier);
      if (next !== undefined) waiting.push(next);
      else if (!specifier.startsWith('node:')) reached.packages.add(packageOf(specifier));
    }
  }
  return reached;
}

/** JavaScript whose imports name .js files, and what the source imports. */
export function javaScriptOf(source: string): { code: string; imported: string[] } {
  initSync();
  const stripped = stripTypeScriptTypes(source);
  const imported: string[] = [];
  let code = '';
  let done = 0;
  for (const { n: specifier, s: begin, e: end } of parse(stripped)[0]) {
    if (specifier === undefined) continue;
    imported.push(specifier);
    const written = stripped.slice(begin, end);
    code += stripped.slice(done, begin) + (isOurs(specifier) ? written.replace(/\.ts(?=['"]?$)/, '.js') : written);
    done = end;
  }
  return { code: code + stripped.slice(done), imported };
}

const isOurs = (specifier: string) => specifier.startsWith('.') || specifier.startsWith(OURS);

/** The file of ours that an import means, from the root; undefined for a package of others or a module of Node. */
function fileOf(root: string, importer: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.join(path.dirname(importer), specifier);
  if (!specifier.startsWith(OURS)) return undefined;
  const name = specifier.slice(OURS.length).split('/', 1)[0] ?? '';
  const within = specifier.slice(OURS.length + name.length + 1);
  const folder = folderOf(root, name);
  const file = within.startsWith('samples/') ? within : `src/${within}`;
  return path.join(folder, file);
}

/** The folder of a package of ours, from the root. */
function folderOf(root: string, name: string): string {
  const folder = ['libs', 'web'].map((part) => `${part}/${name}`).find((one) => existsSync(path.join(root, one)));
  if (folder === undefined) throw new Error(`no package of ours is named ${OURS}${name}`);
  return folder;
}

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

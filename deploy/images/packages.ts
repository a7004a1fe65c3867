import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A package of others, where it is installed. */
export interface Installed {
  /** From the root of the repository: `node_modules/pg`, or deeper where two versions are needed. */
  folder: string;
  name: string;
  version: string;
  license: string;
}

interface Manifest {
  name: string;
  version: string;
  license?: string | { type?: string };
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** The packages with these names and everything they depend on. @throws where one of them is not installed */
export function installedPackages(root: string, names: Iterable<string>): Installed[] {
  const found = new Map<string, Installed>();
  const waiting = [...names].map((name) => ({ name, from: '', needed: true }));
  for (let want = waiting.pop(); want !== undefined; want = waiting.pop()) {
    const folder = folderSeenFrom(root, want.from, want.name);
    if (folder === undefined) {
      if (want.needed) throw new Error(`${want.name} is not installed, and ${want.from || 'the image'} needs it`);
      continue;
    }
    if (found.has(folder)) continue;
    const manifest = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as Manifest;
    const { name, version, dependencies = {}, peerDependencies = {} } = manifest;
    found.set(folder, { folder, name, version, license: licenseOf(manifest) });
    for (const dependency of Object.keys(dependencies)) waiting.push({ name: dependency, from: folder, needed: true });
    for (const peer of Object.keys(peerDependencies)) waiting.push({ name: peer, from: folder, needed: false });
  }
  return [...found.values()].toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** Where Node would find the package, looked for from a folder upwards. */
function folderSeenFrom(root: string, from: string, name: string): string | undefined {
  for (let at = from; ; at = path.dirname(at)) {
    const folder = path.join(at, 'node_modules', name);
    if (existsSync(path.join(root, folder, 'package.json'))) return folder;
    if (at === '' || at === '.') return undefined;
  }
}

const licenseOf = ({ license }: Manifest) => (typeof license === 'string' ? license : (license?.type ?? 'NOASSERTION'));

/** Files that no process reads. Licences stay. */
const UNREAD_FILE = /\.(?:d\.[cm]?ts|map|md|markdown|flow|tsbuildinfo)$/i;
/** Folders at the top of a package that no process reads. */
const UNREAD_FOLDER = /^(?:tests?|__tests__|docs?|examples?|\.github|node_modules)$/i;

/** Copies a package without its nested packages, which are copied by themselves if they are needed. */
export function copyPackage(root: string, out: string, { folder }: Installed): void {
  const source = path.join(root, folder);
  cpSync(source, path.join(out, folder), {
    recursive: true,
    filter: (file) => !UNREAD_FILE.test(file) && !UNREAD_FOLDER.test(path.relative(source, file)),
  });
}

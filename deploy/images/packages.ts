import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A third-party package, where it is installed. */
export interface Installed {
  /** From the root of the repository: `node_modules/pg`, or deeper if two versions are needed. */
  folder: string;
  name: string;
  version: string;
  license: string;
}

interface Manifest {
  name: string;
  version: string;
  license?: string | { type?: string };
}

/** The third-party packages of these files. @param files from the root of the repository */
export function packagesOf(root: string, files: readonly string[]): Installed[] {
  const folders = new Set(
    files.flatMap((file) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  );
  return [...folders].toSorted().map((folder) => {
    const manifest = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as Manifest;
    return { folder, name: manifest.name, version: manifest.version, license: licenseOf(manifest) };
  });
}

const licenseOf = ({ license }: Manifest) => (typeof license === 'string' ? license : (license?.type ?? 'NOASSERTION'));

/** Copies the licences, because packages must not be passed on without them. */
export function copyLicences(root: string, out: string, packages: readonly Installed[]): void {
  for (const { folder, name, version } of packages) {
    const files = readdirSync(path.join(root, folder));
    const licences = files.filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file));
    // Some packages have it in their README.
    for (const file of licences.length > 0 ? licences : files.filter((one) => /^readme/i.test(one))) {
      cpSync(path.join(root, folder, file), path.join(out, 'licences', `${name}@${version}`, file), {
        recursive: true,
      });
    }
  }
}

import { cpSync, readdirSync, readFileSync } from 'node:fs';
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
}

/** The packages of others that these files belong to. @param files from the root of the repository */
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

/** Whoever passes a package on passes on its licence. */
export function copyLicences(root: string, out: string, packages: readonly Installed[]): void {
  for (const { folder, name, version } of packages) {
    const files = readdirSync(path.join(root, folder));
    const licences = files.filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file));
    // Some have it in their README.
    for (const file of licences.length > 0 ? licences : files.filter((one) => /^readme/i.test(one))) {
      cpSync(path.join(root, folder, file), path.join(out, 'licences', `${name}@${version}`, file), {
        recursive: true,
      });
    }
  }
}

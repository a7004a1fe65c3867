import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Installed } from './packages.ts';

interface Lockfile {
  packages: Record<string, { integrity?: string }>;
}

/** A CycloneDX 1.6 document of what an image holds besides its base, with the content's hash of each package. */
export function billOfMaterials(root: string, image: string, version: string, packages: readonly Installed[]): object {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lockfile;
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: `cobro-${image}`, version } },
    components: [
      { type: 'platform', name: 'node', version: process.versions.node },
      ...packages.map(({ folder, name, version: installed, license }) => ({
        type: 'library',
        'bom-ref': folder,
        name,
        version: installed,
        purl: `pkg:npm/${name.replace('@', '%40')}@${installed}`,
        licenses: [/ (?:OR|AND) /.test(license) ? { expression: license } : { license: { id: license } }],
        hashes: hashesOf(lock.packages[folder]?.integrity),
      })),
    ],
  };
}

function hashesOf(integrity: string | undefined): { alg: string; content: string }[] {
  if (!integrity?.startsWith('sha512-')) return [];
  return [{ alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') }];
}

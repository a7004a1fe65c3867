import { readFileSync } from 'node:fs';
import path from 'node:path';
import { code, page, table } from './markdown.ts';

interface Locked {
  version?: string;
  license?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  hasInstallScript?: boolean;
}

export interface Lockfile {
  packages: Record<string, Locked>;
}

/** Licences that packages in production may have: they ask us to keep their text, and for nothing of our code. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Python-2.0',
]);

/** Packages with an install script, which never runs here, and why they work without it. */
const WORKS_WITHOUT_ITS_SCRIPT: Readonly<Record<string, string>> = {
  esbuild: 'its script only saves the start of a process for each call of the command',
  protobufjs: 'it only warns of a version that is asked for in another way',
};

const PACKAGES = /^(?:.*\/)?node_modules\/(?=[^/]+(?:\/[^/]+)?$)/;

/** Third-party packages in images: neither for development, nor optional for one platform. */
function ofProduction({ packages }: Lockfile) {
  return Object.entries(packages).flatMap(
    ([folder, { version, license, link, dev, optional, devOptional, ...more }]) => {
      if (!folder.includes('node_modules/') || link || dev || optional || devOptional) return [];
      return [
        { name: folder.replace(PACKAGES, ''), version: version ?? '', license, script: more.hasInstallScript === true },
      ];
    },
  );
}

/** Packages that may not be in production; one sentence for each reason. */
export function unwantedPackages(lock: Lockfile): string[] {
  return ofProduction(lock).flatMap(({ name, version, license, script }) => [
    ...(license !== undefined && ALLOWED.has(license)
      ? []
      : [
          `${name} ${version} has the licence ${license ?? 'that it does not name'}, which is not among those of dev/docs/licences-page.ts.`,
        ]),
    ...(script && WORKS_WITHOUT_ITS_SCRIPT[name] === undefined
      ? [
          `${name} ${version} wants to run a script when it is installed, and dev/docs/licences-page.ts does not say that it works without.`,
        ]
      : []),
  ]);
}

export const readLockfile = (root: string): Lockfile =>
  JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lockfile;

/** Every package in production by its licence. */
export function licencesPage(lock: Lockfile): string {
  const all = ofProduction(lock);
  const byLicence = Map.groupBy(all, ({ license }) => license ?? 'unknown');
  const scripts = all.filter(({ script }) => script);
  return page(
    'Licences',
    `From \`package-lock.json\`: the ${all.length} packages of others with which images are made (an image holds those that its program reaches; its own list is \`/app/sbom.cdx.json\`). ` +
      `Allowed are ${[...ALLOWED].map(code).join(', ')}; another licence fails \`npm run check\`.`,
    table(
      ['licence', 'packages', 'which'],
      [...byLicence]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([licence, packages]) => [
          licence,
          String(packages.length),
          packages.map(nameAndVersion).toSorted().join(', '),
        ]),
    ),
    '## Install scripts',
    'None is run: `.npmrc`, the launcher and the Dockerfile say `ignore-scripts`. A package that has one fails the check unless it works without:',
    table(
      ['package', 'why it works'],
      scripts.map((one) => [nameAndVersion(one), WORKS_WITHOUT_ITS_SCRIPT[one.name] ?? '']),
    ),
  );
}

const nameAndVersion = ({ name, version }: { name: string; version: string }) => `${name} ${version}`;

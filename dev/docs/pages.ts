import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { asyncApiDocument } from './asyncapi.ts';
import { architecturePage } from './architecture-page.ts';
import { clientApi } from './client-api.ts';
import { connectionsPage } from './connections-page.ts';
import { environmentPage } from './environment-page.ts';
import { errorsPage } from './errors-page.ts';
import { eventsPage } from './events-page.ts';
import { licencesPage, readLockfile, unwantedPackages } from './licences-page.ts';
import { metricsPage } from './metrics-page.ts';
import { brokenLinks } from './links.ts';
import { staleExamples } from './examples.ts';
import { openApiDocuments } from './openapi.ts';
import { referenceFiles } from './reference.ts';
import { routesPage } from './routes-page.ts';
import { unlistedContracts } from './unlisted-contracts.ts';

/** Folders that hold generated files only. */
const folders = ['docs/generated', 'docs/generated/reference'];

/** This repository's, even if the pages are written into another folder. */
const lock = readLockfile(path.join(import.meta.dirname, '../..'));

const documents = openApiDocuments();
const events = asyncApiDocument(documents['openapi-main.json'] ?? '');
const generated = {
  'architecture.md': architecturePage(),
  'connections.md': connectionsPage(),
  'environment.md': environmentPage(),
  'errors.md': errorsPage(),
  'events.md': eventsPage(),
  'licences.md': licencesPage(lock),
  'metrics.md': metricsPage(),
  'routes.md': routesPage(),
  ...documents,
  'asyncapi.json': events,
  ...Object.fromEntries(
    Object.entries(referenceFiles({ ...documents, events })).map(([file, text]) => [`reference/${file}`, text]),
  ),
};
const pages: Record<string, string> = {
  ...Object.fromEntries(Object.entries(generated).map(([file, text]) => [`docs/generated/${file}`, text])),
  'libs/client/src/api.ts': clientApi(documents),
};

function differences(root: string): { stray: string[]; stale: string[] } {
  const present = folders.flatMap((folder) => {
    mkdirSync(path.join(root, folder), { recursive: true });
    const entries = readdirSync(path.join(root, folder), { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => `${folder}/${name}`);
  });
  const stray = present.filter((file) => !(file in pages));
  const stale = Object.keys(pages).filter((file) => {
    const written = path.join(root, file);
    return !existsSync(written) || readFileSync(written, 'utf8') !== pages[file];
  });
  return { stray, stale };
}

/** One sentence for each problem: outdated pages, examples of no route, unlisted contracts, unwanted packages, broken links. */
export async function problemsOfPages(root: string): Promise<string[]> {
  const { stray, stale } = differences(root);
  const unlisted = await unlistedContracts(root);
  return [
    ...stale.map((file) => `${file} is not what the code says now: npm run docs writes it anew.`),
    ...stray.map((file) => `${file} is not a page that npm run docs writes.`),
    ...staleExamples().map((file) => `docs/examples/${file} is the example of no route.`),
    ...unlisted.map(
      ({ file, name }) =>
        `${file} exports the contract ${name}, but libs/contracts/src/routes.ts does not list the file.`,
    ),
    ...unwantedPackages(lock),
    ...brokenLinks(root),
  ];
}

/** Writes the pages into this folder. Returns the changed files. */
export function writePages(root: string): string[] {
  const { stray, stale } = differences(root);
  for (const file of stray) rmSync(path.join(root, file));
  for (const file of stale) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), pages[file] ?? '');
  }
  return [...stale, ...stray];
}

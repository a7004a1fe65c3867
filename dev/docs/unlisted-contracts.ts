import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RouteContract } from '@cobro/contracts/route.ts';
import { nameOf } from '@cobro/contracts/routes.ts';

/** Contracts that a file of routes exports and `routes.ts` does not list: the gateway would answer 404 for them. */
export async function unlistedContracts(root: string): Promise<{ file: string; name: string }[]> {
  const files = globSync('libs/contracts/src/routes/*.ts', { cwd: root }).toSorted();
  const unlisted = files.map(async (file) => {
    const exported = (await import(pathToFileURL(path.join(root, file)).href)) as Record<string, unknown>;
    return Object.entries(exported)
      .filter(([, value]) => isContract(value) && nameOf(value) === '')
      .map(([name]) => ({ file, name }));
  });
  return (await Promise.all(unlisted)).flat();
}

const isContract = (value: unknown): value is RouteContract =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

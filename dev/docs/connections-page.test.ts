import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { connectionsNeeded } from './connections-page.ts';

const root = path.join(import.meta.dirname, '../..');
/** The first document of the file. */
const yamlOf = (file: string) => parseAllDocuments(readFileSync(path.join(root, file), 'utf8'))[0]?.toJS() as unknown;

test('the example of a Postgres for the chart allows as many connections as its pods may open during an upgrade', () => {
  const { defaults } = yamlOf('deploy/helm/cobro/values.yaml') as { defaults: { replicas: number } };
  const { spec } = yamlOf('deploy/examples/cloudnative-pg.yaml') as {
    spec: { postgresql: { parameters: { max_connections: string } } };
  };
  const allowed = Number(spec.postgresql.parameters.max_connections);
  expect(allowed).toBeGreaterThanOrEqual(connectionsNeeded(defaults.replicas));
});

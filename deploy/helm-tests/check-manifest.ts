import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** An object as Kubernetes takes it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [field: string]: unknown;
}

/** A schema of OpenAPI 2, as Kubernetes publishes them. */
interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
}

const folder = path.join(import.meta.dirname, '../../deploy/helm/schemas');
const definitions: Record<string, Schema> = Object.assign(
  {},
  ...readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Record<string, Schema>),
);
const kinds = new Map(
  Object.entries(definitions).flatMap(([name, schema]) =>
    (schema['x-kubernetes-group-version-kind'] ?? []).map(({ group, version, kind }) => [
      `${group === '' ? '' : `${group}/`}${version} ${kind}`,
      name,
    ]),
  ),
);

/** Parts of the object that Kubernetes would refuse or silently drop: a sentence for each. */
export function checkManifest(manifest: Manifest): string[] {
  const { apiVersion, kind, metadata } = manifest;
  const about = `${kind}/${metadata?.name}`;
  const name = kinds.get(`${apiVersion} ${kind}`);
  if (name === undefined) return [`${about}: there is no schema of ${apiVersion} ${kind} in deploy/helm/schemas`];
  return [...problemsOf(manifest, { $ref: name }, about)];
}

function* problemsOf(value: unknown, given: Schema, at: string): Generator<string> {
  if (value === null) return yield `${at}: null`;
  const name = given.$ref?.split('/').at(-1);
  const schema = name === undefined ? given : definitions[name];
  if (schema === undefined) return yield `${at}: there is no schema ${name}`;
  const type = typeOf(value);
  if (name?.endsWith('.Quantity')) {
    if (!/^"?[0-9.]+(?:m|k|Ki|Mi|Gi|Ti)?"?$/.test(JSON.stringify(value)))
      yield `${at}: ${JSON.stringify(value)} is no quantity`;
    return;
  }
  if (schema.format === 'int-or-string' || schema['x-kubernetes-int-or-string']) {
    if (type !== 'integer' && type !== 'string') yield `${at}: ${type}, not integer or string`;
    return;
  }
  if (schema.type !== undefined && type !== schema.type && !(schema.type === 'number' && type === 'integer')) {
    return yield `${at}: ${type}, not ${schema.type}`;
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) yield `${at}: ${JSON.stringify(value)} is not allowed`;
  if (Array.isArray(value))
    for (const [i, one] of value.entries()) yield* problemsOf(one, schema.items ?? {}, `${at}[${i}]`);
  else if (type === 'object') yield* problemsOfFields(value as Record<string, unknown>, schema, at);
}

function* problemsOfFields(value: Record<string, unknown>, schema: Schema, at: string): Generator<string> {
  const { properties = {}, additionalProperties, required = [] } = schema;
  for (const field of required) if (value[field] === undefined) yield `${at}: ${field} is missing`;
  const open = schema.properties === undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  for (const [field, one] of Object.entries(value)) {
    const below = properties[field] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (below !== undefined) yield* problemsOf(one, below, `${at}.${field}`);
    else if (!open && additionalProperties !== true) yield `${at}: unknown field ${field}`;
  }
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/**
 * `take-schemas.ts <swagger.json> <custom resource definition.yaml>…`: writes deploy/helm/schemas anew, without descriptions, for the kinds
 * that the charts make. The first is Kubernetes' api/openapi-spec/swagger.json; the others are those of the Prometheus operator, KEDA and
 * the Gateway API.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

type Json = { [field: string]: unknown };

const KINDS = [
  'ConfigMap',
  'CronJob',
  'Deployment',
  'HorizontalPodAutoscaler',
  'Ingress',
  'Job',
  'NetworkPolicy',
  'Pod',
  'PodDisruptionBudget',
  'Service',
  'ServiceAccount',
  'StatefulSet',
  'HTTPRoute',
  'PodMonitor',
  'PrometheusRule',
  'ScaledObject',
  'TriggerAuthentication',
];
const VERSIONS = ['v1', 'v2', 'v1alpha1'];
const folder = path.join(import.meta.dirname, '../../deploy/helm/schemas');

/** Keeps the fields of a schema that a check reads. Under `properties` every name is a field of the object, and stays. */
function bare(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => bare(one));
  if (typeof value !== 'object' || value === null) return value;
  const unread =
    /^(?:description|default|pattern|maxItems|minItems|maxLength|minLength|maximum|minimum|not|anyOf|oneOf|allOf)$/;
  const fields = Object.entries(value).filter(([name]) => isNames || !(unread.test(name) || isExtension(name)));
  return Object.fromEntries(fields.map(([name, one]) => [name, bare(one, !isNames && name === 'properties')]));
}

const READ = ['x-kubernetes-group-version-kind', 'x-kubernetes-int-or-string', 'x-kubernetes-preserve-unknown-fields'];
const isExtension = (name: string) => name.startsWith('x-') && !READ.includes(name);

function ofKubernetes(file: string): Json {
  const { definitions } = JSON.parse(readFileSync(file, 'utf8')) as { definitions: Record<string, Json> };
  const taken: Json = {};
  const waiting = Object.keys(definitions).filter((name) => isWanted(definitions[name] ?? {}));
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (taken[name] !== undefined) continue;
    taken[name] = bare(definitions[name]);
    const text = JSON.stringify(taken[name]);
    for (const [, other = ''] of text.matchAll(/#\/definitions\/([^"]+)"/g)) waiting.push(other);
  }
  return taken;
}

function isWanted(definition: Json): boolean {
  const kinds = (definition['x-kubernetes-group-version-kind'] ?? []) as { version: string; kind: string }[];
  const [only] = kinds;
  return kinds.length === 1 && only !== undefined && KINDS.includes(only.kind) && VERSIONS.includes(only.version);
}

interface CustomDefinition {
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; schema: { openAPIV3Schema: { properties: Json } } }[];
  };
}

function ofDefinition({ spec }: CustomDefinition): Json {
  const { group, names, versions } = spec;
  const wanted = versions.filter(({ name }) => KINDS.includes(names.kind) && VERSIONS.includes(name));
  return Object.fromEntries(
    wanted.map(({ name: version, schema }) => [
      `${group}.${version}.${names.kind}`,
      {
        ...(bare(schema.openAPIV3Schema) as Json),
        'x-kubernetes-group-version-kind': [{ group, version, kind: names.kind }],
      },
    ]),
  );
}

const [swagger = '', ...files] = process.argv.slice(2);
const documents = files.flatMap((file) => parseAllDocuments(readFileSync(file, 'utf8')));
const custom = documents
  .map((document) => document.toJS() as CustomDefinition & { kind?: string })
  .filter((one) => one?.kind === 'CustomResourceDefinition')
  .map(ofDefinition);
writeFileSync(path.join(folder, 'kubernetes.json'), `${JSON.stringify(ofKubernetes(swagger))}\n`);
writeFileSync(path.join(folder, 'custom.json'), `${JSON.stringify(Object.assign({}, ...custom))}\n`);

import { type DeployedService, deployedAcquirers, deployedServices } from './deployed-services.ts';

type Schema = Record<string, unknown>;

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const count: Schema = { type: 'integer', minimum: 0 };
const port: Schema = { type: 'integer', minimum: 1, maximum: 65535 };
const texts: Schema = { type: 'array', items: text };
const peers: Schema = { type: 'array', items: { type: 'object' } };
const free: Schema = { type: 'object' };
const mapOf = (items: Schema): Schema => ({ type: 'object', additionalProperties: items });
const oneOf = (...values: string[]): Schema => ({ enum: values });
/** An object that refuses other names, which are typos. */
const strict = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
});
const value: Schema = { type: ['string', 'integer', 'boolean'] };
const reference = { existingSecret: text, key: text };
const authority = strict({ ...reference, existingConfigMap: text });
const clientCertificate = strict({ existingSecret: text });
const server = { existingSecret: text, port, to: peers, authority, clientCertificate };
const acquirer = strict({ enabled: flag, existingSecret: text, port, to: peers });
const quantities = strict({
  cpu: { type: ['string', 'number'] },
  memory: { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?(Mi|Gi)$' },
  'ephemeral-storage': text,
});
const resources = strict({ requests: quantities, limits: quantities });

/** Variables that are set by `env`; those that the chart sets itself are refused there. */
const byEnv = ({ variables }: DeployedService) =>
  Object.entries(variables).flatMap(([name, { port: at, store, key, service, ofBank, tls, own }]) =>
    (at ?? store ?? key ?? service ?? ofBank ?? tls ?? own) ? [] : [name],
  );

const environmentOf = (names: string[]) => strict(Object.fromEntries(names.map((name) => [name, value])));

const placement: Record<string, Schema> = {
  podLabels: mapOf(value),
  podAnnotations: mapOf(value),
  nodeSelector: mapOf(text),
  tolerations: peers,
  affinity: free,
  priorityClassName: text,
};
const jobs = Object.fromEntries(
  ['migration', 'reconciliation', 'reseal', 'operations', 'test'].map((job) => [job, strict(placement)]),
);
const extraEnv = mapOf({ anyOf: [text, strict({ secretKeyRef: strict({ name: text, key: text }) })] });

const operations = strict({ enabled: flag, administrator: strict(reference), activeDeadlineSeconds: count, resources });
const networkPolicy = strict({
  enabled: flag,
  ingressFrom: peers,
  dns: peers,
  dnsPort: port,
  extraIngress: peers,
  extraEgress: peers,
});

const monitoring = strict({
  labels: mapOf(text),
  exporter: oneOf('', 'otlp', 'prometheus'),
  podMonitor: flag,
  from: peers,
  rules: flag,
  selector: text,
  runbooks: text,
  dashboard: flag,
});

const serviceValues = (env: Schema): Record<string, Schema> => ({
  replicas: count,
  resources,
  autoscaling: strict({
    enabled: flag,
    min: { type: 'integer', minimum: 1 },
    max: { type: 'integer', minimum: 1 },
    cpu: { type: 'integer', minimum: 1, maximum: 1000 },
    keda: flag,
    queueLength: { type: 'integer', minimum: 1 },
  }),
  podDisruptionBudget: strict({ enabled: flag, maxUnavailable: { type: ['integer', 'string'] } }),
  drainDelayMs: count,
  terminationGracePeriodSeconds: count,
  env,
  ...placement,
  serviceType: oneOf('ClusterIP', 'NodePort', 'LoadBalancer'),
  serviceAnnotations: mapOf(text),
  serviceAccountAnnotations: mapOf(text),
  topologySpread: strict({ keys: texts, whenUnsatisfiable: oneOf('DoNotSchedule', 'ScheduleAnyway') }),
});

const allDeployed = () => ({ ...deployedServices(), ...deployedAcquirers() });

const bank = strict({
  url: text,
  port,
  to: peers,
  authority,
  clientCertificate,
  proxy: strict(reference),
  token: strict(reference),
  others: text,
  otherTokens: strict(reference),
});

/** The JSON schema of the chart's values. Only `global`, which other charts share, may hold anything. */
export function valuesSchema(services: Record<string, DeployedService> = allDeployed()): Schema {
  const all = [...new Set(Object.values(services).flatMap(byEnv))].toSorted();
  const own = Object.entries(services).map(([name, service]) => [
    name,
    strict(serviceValues(environmentOf(byEnv(service)))),
  ]);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...strict({
      global: free,
      nameOverride: text,
      fullnameOverride: text,
      image: strict({
        registry: text,
        prefix: text,
        tag: text,
        digests: strict(Object.fromEntries([...Object.keys(services), 'operations'].map((name) => [name, text]))),
        pullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
        pullSecrets: texts,
      }),
      hosts: strict({ main: text, partner: text, dashboard: text }),
      checkoutBaseUrl: text,
      dashboardBaseUrl: text,
      keyMode: oneOf('live', 'test'),
      trustedProxyHops: count,
      logLevel: oneOf('debug', 'info', 'warn', 'error'),
      bank,
      stripe: acquirer,
      postgres: strict({ ...server, urlKey: text, ownerUrlKey: text }),
      rabbitmq: strict({ ...server, urlKey: text, adminUrlKey: text, prefix: text }),
      redis: strict({ ...server, urlKey: text, prefix: text, sentinelPort: count }),
      tls: strict({ existingSecret: text, mode: oneOf('', 'offered', 'used', 'required') }),
      keys: strict({ existingSecret: text, names: mapOf(text) }),
      telemetry: strict({ endpoint: text, port, to: peers }),
      env: environmentOf(all),
      extraEnv,
      secretsRevision: text,
      secretChecksums: flag,
      defaults: strict(serviceValues(environmentOf([]))),
      services: strict(Object.fromEntries(own) as Record<string, Schema>),
      serviceAccounts: strict({ create: flag }),
      jobs: strict(jobs),
      pod: strict({
        serviceAccountName: text,
        user: { type: ['integer', 'null'], minimum: 1 },
        extraVolumes: peers,
        extraVolumeMounts: peers,
      }),
      migration: strict({
        mode: oneOf('hook', 'job', 'none'),
        activeDeadlineSeconds: count,
        backoffLimit: count,
        annotations: mapOf(value),
        resources,
      }),
      reconciliation: strict({ enabled: flag, schedule: text, activeDeadlineSeconds: count, resources }),
      operations,
      ingress: strict({ enabled: flag, className: text, annotations: mapOf(value), tlsSecret: text }),
      gatewayApi: strict({ enabled: flag, parentRefs: peers, annotations: mapOf(value), requestTimeout: text }),
      networkPolicy,
      monitoring,
      test: strict({ makeMerchant: flag, ...reference }),
    }),
  };
}

import { freePort } from '@cobro/testing/free-port.ts';
import type { Environment } from '@cobro/testing/service-environment.ts';
import { type ServiceName, serviceNames } from '../services/definitions.ts';

/** The environment with which each service of a stack, with one replica, exports its metrics to Prometheus, and its port on 127.0.0.1. */
export async function exportedMetrics(): Promise<{
  env: Record<ServiceName, Environment>;
  ports: Record<ServiceName, number>;
}> {
  const all = await Promise.all(serviceNames.map(async (name) => [name, await freePort()] as const));
  const ofService = ([name, port]: readonly [string, number]) => [
    name,
    {
      OTEL_METRICS_EXPORTER: 'prometheus',
      OTEL_EXPORTER_PROMETHEUS_PORT: String(port),
      OTEL_SERVICE_NAME: name,
    },
  ];
  return { env: Object.fromEntries(all.map(ofService)), ports: Object.fromEntries(all) } as never;
}

import type { Environment } from '@cobro/testing/service-environment.ts';

const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL'];

/** The environment of every process besides its config. Nothing else of our own environment is passed on. */
export function processEnvironment(name: string, spansEndpoint: string | undefined): Environment {
  const passed = PASSED_ON.flatMap((variable) => {
    const value = process.env[variable];
    return value ? [[variable, value] as const] : [];
  });
  return {
    ...Object.fromEntries(passed),
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
    ...(spansEndpoint === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: spansEndpoint, OTEL_SERVICE_NAME: name }),
  };
}

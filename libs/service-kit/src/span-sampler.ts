import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

export type Environment = Readonly<Record<string, string | undefined>>;

const PARENT_BASED = 'parentbased_';

/**
 * What OTEL_TRACES_SAMPLER names: `always_on`, `always_off` or `traceidratio` (of OTEL_TRACES_SAMPLER_ARG, from 0 to 1), each also after
 * `parentbased_`. Unless it is set, what the caller's trace says, and every trace that begins here.
 * @throws for any other name or share
 */
export function samplerFromEnv(env: Environment): Sampler {
  const name = env['OTEL_TRACES_SAMPLER'] || `${PARENT_BASED}always_on`;
  const root = rootSampler(name.replace(PARENT_BASED, ''), env['OTEL_TRACES_SAMPLER_ARG'] || '1');
  return name.startsWith(PARENT_BASED) ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, share: string): Sampler {
  if (name === 'always_on') return new AlwaysOnSampler();
  if (name === 'always_off') return new AlwaysOffSampler();
  if (name !== 'traceidratio') throw new Error(`OTEL_TRACES_SAMPLER: there is no sampler ${name}`);
  const ratio = Number(share);
  if (!(ratio >= 0 && ratio <= 1)) throw new Error('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  return new TraceIdRatioBasedSampler(ratio);
}

import { configOf } from '@cobro/frame/definition.ts';
import { definitions } from '../../services/definitions.ts';
import { config as stripe } from '../../acquirers/stripe/src/config.ts';
import { config as bank } from '../../simulators/bank/src/config.ts';
import { code, page, table } from './markdown.ts';

/** The part of a variable's schema that this page reads. */
export interface Variable {
  readonly description?: string | undefined;
  safeParse(value: unknown): { success: boolean; data?: unknown };
  toJSONSchema(options: { io: 'input'; unrepresentable: 'any' }): { enum?: unknown[] };
}

const configs: [name: string, shape: Record<string, Variable>][] = [
  ...definitions.map((definition): [string, Record<string, Variable>] => [definition.name, configOf(definition).shape]),
  ['Stripe adapter', stripe.shape],
  ['bank simulator', bank.shape],
];

/** Every environment variable of every process, with its default. */
export function environmentPage(): string {
  const sections = configs.flatMap(([name, shape]) => {
    const rows = Object.entries(shape).map(([variable, schema]) => {
      const { description } = schema;
      if (description === undefined) throw new Error(`the config of ${name} says nothing about ${variable}`);
      return [code(variable), otherwise(schema), `${description}${choicesOf(schema)}`];
    });
    return [`## ${name}`, table(['variable', 'without it', 'meaning'], rows)];
  });
  return page(
    'Environment of each process',
    'From the definition of each service (`services/*/src/service.ts`) and `libs/service-kit/src/config.ts`. A process whose environment is not complete says in one sentence what is wrong and ends ' +
      'with 78. Besides these, `OTEL_EXPORTER_OTLP_ENDPOINT` and `OTEL_SERVICE_NAME` are read by the telemetry library: spans go ' +
      'there as OTLP over HTTP; without an endpoint none are made. Metrics are counted only where `OTEL_METRICS_EXPORTER` names who ' +
      'takes them ([metrics](../metrics.md)). A key ring is 32 bytes in base64, or several of them with commas between: the first makes, every one is believed ' +
      '([how keys turn over](../deploy.md#keys)).',
    ...sections,
  );
}

/** What the page shows for a variable that is not set. */
export function otherwise(schema: Variable): string {
  const { success, data } = schema.safeParse(undefined);
  if (!success) return 'refused';
  if (data === undefined) return 'left out';
  if (typeof data !== 'string' && typeof data !== 'number') throw new Error('a default that this page cannot show');
  return data === '' ? 'empty' : code(String(data));
}

function choicesOf(schema: Variable): string {
  const { enum: choices } = schema.toJSONSchema({ io: 'input', unrepresentable: 'any' });
  return choices === undefined ? '' : ` One of ${choices.map((choice) => code(String(choice))).join(', ')}.`;
}

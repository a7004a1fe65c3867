import { config as gateway } from '../../services/gateway/src/config.ts';
import { config as holds } from '../../services/holds/src/config.ts';
import { config as payments } from '../../services/payments/src/config.ts';
import { config as reporting } from '../../services/reporting/src/config.ts';
import { config as bank } from '../../simulators/bank/src/config.ts';
import { code, page, table } from './markdown.ts';

/** One variable's schema, as far as this page asks it. */
export interface Variable {
  safeParse(value: unknown): { success: boolean; data?: unknown };
  toJSONSchema(options: { io: 'input'; unrepresentable: 'any' }): { enum?: unknown[] };
}

const configs: Record<string, { shape: Record<string, Variable> }> = {
  gateway,
  payments,
  holds,
  reporting,
  'bank simulator': bank,
};

const meanings: Record<string, string> = {
  HOST: 'Address to listen on.',
  PORT: 'Port to listen on.',
  PARTNER_PORT: 'Port of the partner API.',
  LOG_LEVEL: 'Least level of the JSON lines on stdout.',
  CLOCK_URL:
    'Who holds the business clock, in demo and test environments only: read at start; it also opens `PUT /internal/clock`.',
  DRAIN_DELAY_MS: 'After TERM: how long the listener stays open with readiness 503, and idle connections after that.',
  DATABASE_URL: 'Postgres, as the role that reads and writes the rows of this service’s schema. Secret.',
  AMQP_URL: 'RabbitMQ. Secret.',
  EVENTS_PREFIX: 'Stands before the name of every exchange and queue.',
  INTERNAL_VERIFY_KEYS: 'JWKS of the public keys whose internal tokens are believed; `kid` is the name of the service.',
  INTERNAL_SIGNING_KEY: 'Private Ed25519 JWK with which this service signs internal tokens; `kid` is its name. Secret.',
  PAYMENTS_URL: 'Base address of payments.',
  HOLDS_URL: 'Base address of holds.',
  INTENTS_URL: 'Base address of intents.',
  REPORTING_URL: 'Base address of reporting.',
  KEY_MODE: 'Which merchants’ keys are taken, `sk_live_…` or `sk_test_…`; the other kind is 401.',
  UPSTREAM_TIMEOUT_MS:
    'How long a service may take to answer before the caller gets a 504. Less than the bank’s call and 2 s, and the bank is never asked.',
  BANK_URL: 'Base address of the bank.',
  BANK_CALL_TIMEOUT_MS: 'How long a call to the bank may take, from the claim on; then its outcome is unknown.',
  BANK_CONNECT_TIMEOUT_MS: 'How long connecting to the bank may take.',
  BANK_CALLS: 'How many calls to the bank this process has under way at most; one more is 503 `BANK_UNAVAILABLE`.',
  BANK_CALLS_PER_MERCHANT: 'How many of them for one organization.',
  BANK_CALLS_PER_CARD: 'How many of them for one saved card.',
  VAULT_KEY: '32 bytes in base64: AES-256-GCM key of the vault’s tokens at rest. Secret.',
  CARD_FINGERPRINT_KEY: '32 bytes in base64: HMAC key of the fingerprint that tells two cards apart. Secret.',
  CURSOR_KEY: '32 bytes in base64: HMAC key of the list cursors; the same in all replicas. Secret.',
  LEDGER_PATH: 'SQLite file of the bank’s books; made when it is not there.',
};

/** Every environment variable of every process, with its default. */
export function environmentPage(): string {
  const used = new Set<string>();
  const sections = Object.entries(configs).flatMap(([name, { shape }]) => {
    const rows = Object.entries(shape).map(([variable, schema]) => {
      used.add(variable);
      const meaning = meanings[variable];
      if (meaning === undefined) throw new Error(`tools/docs/environment-page.ts says nothing about ${variable}`);
      return [code(variable), otherwise(schema), `${meaning}${choicesOf(schema)}`];
    });
    return [`## ${name}`, table(['variable', 'without it', 'meaning'], rows)];
  });
  const stale = Object.keys(meanings).filter((variable) => !used.has(variable));
  if (stale.length > 0)
    throw new Error(`tools/docs/environment-page.ts explains what no process reads: ${stale.join(', ')}`);
  return page(
    'Environment of each process',
    'From the `config.ts` of each. A process whose environment is not complete says in one sentence what is wrong and ends ' +
      'with 78. Besides these, `OTEL_EXPORTER_OTLP_ENDPOINT` and `OTEL_SERVICE_NAME` are read by the telemetry library: spans go ' +
      'there as OTLP over HTTP; without an endpoint none are made. Metrics are counted and sent only where `OTEL_METRICS_EXPORTER` ' +
      'is set.',
    ...sections,
  );
}

/** What stands in where the variable is not set. */
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

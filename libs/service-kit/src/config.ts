import { Secret } from '@cobro/contracts/secret.ts';
import { z } from 'zod';
import type { KeyRing } from './key-ring.ts';

const wholeNumber = z.string().regex(/^\d+$/, { error: 'must be a whole number' }).transform(Number);
export const number = (otherwise: number) => wholeNumber.optional().transform((n) => n ?? otherwise);
export const port = wholeNumber.refine((n) => n > 0 && n < 65_536, { error: 'must be a port' });
export const url = z.url();
const secretText = z
  .string()
  .min(1)
  .transform((value) => new Secret(value));
/** An address that may hold a password. */
export const secretUrl = z
  .string({ error: 'is not set' })
  .refine((value) => URL.canParse(value), { error: 'must be an address' })
  .transform((value) => new Secret(value));
/** 32 bytes in base64, or several of them with commas between. Demo and tests generate a random one. */
export const secretKeys = z
  .string()
  .transform((value) => value.split(',').map((key) => Buffer.from(key.trim(), 'base64')))
  .refine((keys) => keys.every((key) => key.length === 32), {
    error: 'must be 32 bytes in base64, or several with commas',
  })
  .transform((keys) => keys.map((key) => new Secret(key)) as unknown as KeyRing)
  .meta({ drawn: true });
const json = z.string().transform((value, ctx): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    ctx.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
});

/** What every process takes from its environment. */
export const processConfig = {
  HOST: z.string().default('0.0.0.0').describe('Address to listen on.'),
  PORT: port.describe('Port to listen on.'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error'])
    .default('info')
    .describe('Least level of the JSON lines on stdout.'),
  DRAIN_DELAY_MS: number(5_000).describe(
    'After TERM: how long the listener stays open with readiness 503, and idle connections after that.',
  ),
};

/** What every process takes whose clock the stack tool may move. */
export const clockConfig = {
  CLOCK_URL: url
    .optional()
    .describe(
      'Who holds the business clock, in demo and test environments only: read at start; it also opens `PUT /internal/clock`.',
    ),
};

const redisAddress = (text: string) => {
  const address = URL.parse(text);
  return address !== null && /^rediss?:$/.test(address.protocol) && /^\/?\d*$/.test(address.pathname);
};

/** What a service takes that counts limits. */
export const redisConfig = {
  REDIS_URL: secretText
    .refine((address) => redisAddress(address.reveal()), { error: 'must be an address, as redis://host:6379' })
    .describe('Redis, in which all replicas count limits together; without its reply each counts alone. Secret.'),
  REDIS_PREFIX: z.string().default('').describe('Stands before the name of every key in Redis.'),
};

/** What the services share that tell cards apart and pass on a card that is present. */
export const tappedCardConfig = {
  CARD_FINGERPRINT_KEY: secretKeys.describe(
    'Key ring: HMAC key of the fingerprint that tells two cards apart. Secret.',
  ),
  TAP_KEY: secretKeys.describe(
    'Key ring: AES-256-GCM key of a tapped card’s single-use token on its way from intents to payments; the same in both. Secret.',
  ),
};

/** The address of a server. It may name a socket or several hosts, so only its beginning is looked at. */
const addressOf = (protocol: RegExp, example: string) =>
  secretText.refine((address) => protocol.test(address.reveal()), { error: `must be an address, as ${example}` });

/** What every service takes, including the door. */
export const doorConfig = {
  ...processConfig,
  DATABASE_URL: addressOf(/^postgres(ql)?:\/\//, 'postgres://user:password@host:5432/database').describe(
    'Postgres, as the role that reads and writes the rows of this service’s schema. Secret.',
  ),
  AMQP_URL: addressOf(/^amqps?:\/\//, 'amqp://user:password@host:5672').describe('RabbitMQ. Secret.'),
  EVENTS_PREFIX: z.string().default('').describe('Stands before the name of every exchange and queue.'),
  INTERNAL_SIGNING_KEY: json
    .transform((value) => (Array.isArray(value) ? value : [value]))
    .pipe(z.tuple([z.looseObject({ kid: z.string() })], z.looseObject({ kid: z.string() })))
    .transform(([jwk]) => new Secret(jwk))
    .describe(
      'Private Ed25519 JWK with which this service signs internal tokens; `kid` is its name. Of an array the first one signs. Secret.',
    ),
};

/** What a service behind the door takes as well. */
export const serviceConfig = {
  ...doorConfig,
  ...clockConfig,
  INTERNAL_VERIFY_KEYS: json
    .pipe(z.object({ keys: z.array(z.looseObject({ kid: z.string() })) }))
    .describe(
      'JWKS of the public keys whose internal tokens are believed; `kid` is the name of the service, which may have several.',
    ),
};

/** What a service that uses the bank takes as well. */
export const bankConfig = {
  BANK_URL: url.describe('Base address of the bank.'),
  BANK_CALL_TIMEOUT_MS: number(8_000).describe(
    'How long a call to the bank may take, from the claim on; then its outcome is unknown.',
  ),
  BANK_CONNECT_TIMEOUT_MS: number(1_000).describe('How long connecting to the bank may take.'),
  BANK_CALLS: number(256).describe(
    'How many calls to the bank this process has under way at most; one more is 503 `BANK_UNAVAILABLE`.',
  ),
  BANK_CALLS_PER_MERCHANT: number(64).describe('How many of them for one organization.'),
  BANK_CALLS_PER_CARD: number(16).describe('How many of them for one saved card.'),
};

/** Reads the environment by the schema. If a variable is wrong, the process names it in a sentence and exits with 78. */
export function loadConfig<S extends z.ZodObject>(schema: S, env: NodeJS.ProcessEnv = process.env): z.output<S> {
  const read = schema.safeParse(env);
  if (read.success) return read.data;
  const problems = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  process.stderr.write(`The environment is not complete: ${problems.join('; ')}.\n`);
  process.exit(78);
}

import { Secret } from '@cobro/contracts/secret.ts';
import { readRedisAddress } from '@cobro/limits/redis-address.ts';
import { z } from 'zod';
import { acquirersConfig } from './acquirers-config.ts';
import type { KeyRing } from './key-ring.ts';
import { holdsOwnCertificate } from './own-certificate.ts';

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
/** One or more keys of 32 bytes in base64, separated by commas. Demo and tests generate a random one. */
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

/** Which kind of keys and cards a process works with. Every process gets it, so that none of them sends real cards in clear. */
export const keyMode = z
  .enum(['live', 'test'], { error: 'must be live or test' })
  .describe(
    'Which merchants’ keys the gateway takes, `sk_live_…` or `sk_test_…`; the other kind is 401. With `live` no process starts with an address of bank or checkout that is not https (loopback excepted), or with a `CLOCK_URL`.',
  );

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/** Also true for an address on this machine. */
export const isEncrypted = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
};

/**
 * For the environment of any process: refuses what would send real cards in clear, let somebody move the clock of real holds, or let
 * merchants reach this machine's own addresses.
 */
export function refuseLiveInClear(env: Record<string, unknown>, ctx: z.RefinementCtx): void {
  if (env['KEY_MODE'] !== 'live') return;
  const refuse = (name: string, message: string) => ctx.addIssue({ code: 'custom', path: [name], message });
  for (const name of ['BANK_URL', 'CHECKOUT_BASE_URL']) {
    const address = env[name];
    if (typeof address === 'string' && !isEncrypted(address)) refuse(name, 'must be https, because KEY_MODE is live');
  }
  const acquirers = env['ACQUIRERS'];
  if (acquirers instanceof Map && ![...acquirers.values()].every((address: string) => isEncrypted(address))) {
    refuse('ACQUIRERS', 'must be https, because KEY_MODE is live');
  }
  if (env['CLOCK_URL'] !== undefined) refuse('CLOCK_URL', 'must not be set, because KEY_MODE is live');
  for (const name of ['WEBHOOKS_TO_LOOPBACK', 'ISSUERS_ON_LOOPBACK']) {
    if (env[name] === 'true') refuse(name, 'must not be true, because KEY_MODE is live');
  }
}

/** Taken by every process whose clock the stack tool may move. */
export const clockConfig = {
  CLOCK_URL: url
    .optional()
    .describe(
      'Who holds the business clock, in demo and test environments only: read at start; it also opens `PUT /internal/clock`.',
    ),
};

/** Taken by services that count limits. */
export const redisConfig = {
  REDIS_URL: secretText
    .refine((address) => readRedisAddress(address.reveal()) !== undefined, {
      error:
        'must be an address, as redis://host:6379, redis://a:6379,b:6379?mode=cluster or redis://a:26379,b:26379?mode=sentinel&master=NAME',
    })
    .describe(
      'Redis, in which all replicas count limits together; without its reply each counts alone. One server `redis://user:password@host:6379/0`, a cluster `redis://user:password@a:6379,b:6379?mode=cluster`, or its sentinels `redis://user:password@a:26379,b:26379/0?mode=sentinel&master=NAME` (`&sentinelPassword=…` where they ask for one); `rediss:` for TLS. Secret.',
    ),
  REDIS_PREFIX: z.string().default('').describe('Stands before the name of every key in Redis.'),
};

/** Shared by the services that have lists by cursor. */
export const cursorConfig = {
  CURSOR_KEY: secretKeys.describe('Key ring: HMAC key of the list cursors; the same in all replicas. Secret.'),
};

/** Shared by the services that distinguish cards and pass on a card that is present. */
export const tappedCardConfig = {
  CARD_FINGERPRINT_KEY: secretKeys.describe(
    'Key ring: HMAC key of the fingerprint that tells two cards apart. Secret.',
  ),
  TAP_KEY: secretKeys.describe(
    'Key ring: AES-256-GCM key of a tapped card’s single-use token on its way from intents to payments; the same in both. Secret.',
  ),
};

/** The address of a server. It may name a socket or several hosts, so only its beginning is checked. */
const addressOf = (protocol: RegExp, example: string) =>
  secretText.refine((address) => protocol.test(address.reveal()), { error: `must be an address, as ${example}` });

/** TLS between our own processes. */
export const tlsConfig = {
  TLS_FOLDER: z
    .string()
    .refine(holdsOwnCertificate, { error: 'must be a folder with tls.crt, tls.key and ca.crt' })
    .optional()
    .describe(
      'Folder with `tls.crt`, `tls.key` and `ca.crt`, by which our own processes know each other: the listeners speak TLS, and services whose address is https are shown the certificate. The files are read again when they change.',
    ),
  TLS_REQUIRED: z
    .enum(['true', 'false'])
    .default('true')
    .describe('With `false` the listeners take requests in clear too, while TLS is being switched on or off.'),
};

/** What every service takes, including the door. */
export const doorConfig = {
  ...processConfig,
  ...tlsConfig,
  KEY_MODE: keyMode,
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
  INTERNAL_VERIFY_KEYS: json
    .pipe(z.object({ keys: z.array(z.looseObject({ kid: z.string() })) }))
    .describe(
      'JWKS of the public keys whose internal tokens are believed; `kid` is the name of the service, which may have several.',
    ),
};

/** What every service behind the door takes as well. */
export const serviceConfig = { ...doorConfig, ...clockConfig };

/** For a process that calls the bank. */
export const bankProxy = secretUrl
  .refine((address) => address.reveal().startsWith('http://'), { error: 'must be an address, as http://proxy:3128' })
  .optional()
  .describe('Proxy through which an https bank is reached, by CONNECT. May hold a user and password. Secret.');

export const bankToken = secretText
  .optional()
  .describe('Token that the bank knows us by, sent as `Authorization: Bearer`. Secret.');

/** What a service that uses the bank takes as well. */
export const bankConfig = {
  BANK_URL: url.describe('Base address of the bank.'),
  BANK_TOKEN: bankToken,
  ...acquirersConfig,
  HTTPS_PROXY: bankProxy,
  BANK_CALL_TIMEOUT_MS: number(8_000).describe(
    'How long a call to the bank may take, from the claim on; then its outcome is unknown.',
  ),
  BANK_CONNECT_TIMEOUT_MS: number(1_000).describe('How long connecting to the bank may take.'),
  BANK_CALLS: number(256).describe(
    'How many calls to the bank this process has under way at most; one more is 503 `BANK_UNAVAILABLE`.',
  ),
  BANK_CALLS_PER_MERCHANT: number(64).describe('How many of them for one organization.'),
  BANK_CALLS_PER_CARD: number(16).describe('How many of them for one card.'),
};

/** Reads the environment by the schema. If a variable is wrong, the process names it in a sentence and exits with 78. */
export function loadConfig<S extends z.ZodObject>(schema: S, env: NodeJS.ProcessEnv = process.env): z.output<S> {
  const read = schema.safeParse(env);
  if (read.success) return read.data;
  const problems = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  process.stderr.write(`The environment is not complete: ${problems.join('; ')}.\n`);
  process.exit(78);
}

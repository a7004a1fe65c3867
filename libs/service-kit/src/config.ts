import { Secret } from '@cobro/contracts/secret.ts';
import { z } from 'zod';

const wholeNumber = z.string().regex(/^\d+$/, { error: 'must be a whole number' }).transform(Number);
export const number = (otherwise: number) => wholeNumber.optional().transform((n) => n ?? otherwise);
export const port = wholeNumber.refine((n) => n > 0 && n < 65_536, { error: 'must be a port' });
export const url = z.url();
export const secretText = z
  .string()
  .min(1)
  .transform((value) => new Secret(value));
/** 32 bytes in base64. */
export const secretKey = z
  .string()
  .transform((value) => Buffer.from(value, 'base64'))
  .refine((key) => key.length === 32, { error: 'must be 32 bytes in base64' })
  .transform((key) => new Secret(key));
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
  HOST: z.string().default('0.0.0.0'),
  PORT: port,
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  CLOCK_URL: url.optional(),
  DRAIN_DELAY_MS: number(5_000),
};

/** What every service takes besides. */
export const serviceConfig = {
  ...processConfig,
  DATABASE_URL: secretText,
  AMQP_URL: secretText,
  EVENTS_PREFIX: z.string().default(''),
  INTERNAL_VERIFY_KEYS: json.pipe(z.object({ keys: z.array(z.looseObject({ kid: z.string() })) })),
};

/** A service that calls others signs with its own key. */
export const signingConfig = {
  INTERNAL_SIGNING_KEY: json.pipe(z.looseObject({ kid: z.string() })).transform((jwk) => new Secret(jwk)),
};

export const bankConfig = {
  BANK_URL: url,
  BANK_CALL_TIMEOUT_MS: number(8_000),
  BANK_CONNECT_TIMEOUT_MS: number(1_000),
  BANK_CALLS: number(256),
  BANK_CALLS_PER_MERCHANT: number(64),
  BANK_CALLS_PER_CARD: number(16),
};

/** Reads the environment by the schema; a process with a bad one says which variable in a sentence and exits with 78. */
export function loadConfig<S extends z.ZodObject>(schema: S, env: NodeJS.ProcessEnv = process.env): z.output<S> {
  const read = schema.safeParse(env);
  if (read.success) return read.data;
  const problems = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  process.stderr.write(`The environment is not complete: ${problems.join('; ')}.\n`);
  process.exit(78);
}

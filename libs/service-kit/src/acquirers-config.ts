import { acquirerName, DEFAULT_ACQUIRER } from '@cobro/contracts/acquirer-name.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { z } from 'zod';

/** Few, because each acquirer is a value of metrics' attributes and has its own connections. */
const MOST = 7;

/** Reads `name=value,name=value` into a map by name. */
const byName = <V>(read: (value: string) => V | undefined, kind: string) =>
  z.string().transform((text, ctx) => {
    const found = new Map<string, V>();
    const refuse = (message: string) => {
      ctx.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    for (const pair of text.split(',')) {
      const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(pair.trim()) ?? [];
      const given = read(value);
      if (!acquirerName.safeParse(name).success || given === undefined) {
        return refuse(`must be name=${kind}, or several with commas; a name is small letters, digits and dashes`);
      }
      if (name === DEFAULT_ACQUIRER) return refuse(`must not name ${name}, which is the acquirer at BANK_URL`);
      if (found.has(name)) return refuse(`names ${name} twice`);
      found.set(name, given);
    }
    return found.size > MOST ? refuse(`may name ${MOST} acquirers at most`) : found;
  });

const address = (text: string) => (URL.canParse(text) ? text : undefined);
const secret = (text: string) => (text === '' ? undefined : new Secret(text));

/** Variables by which a process reaches the acquirers besides the one at `BANK_URL`. */
export const acquirersConfig = {
  ACQUIRERS: byName(address, 'address')
    .optional()
    .describe(
      'Acquirers besides the one at `BANK_URL`, as `stripe=https://stripe.example.com,other=https://…`. Their names stand in rows for ever, so an acquirer keeps its name, and stays here while anything of it may be refunded. The same in all services.',
    ),
  ACQUIRER_TOKENS: byName(secret, 'token')
    .optional()
    .describe('Token that each of them knows us by, as `stripe=TOKEN,other=TOKEN`. Secret.'),
};

type Given = z.output<z.ZodObject<typeof acquirersConfig>>;

/** An acquirer's address, and the token that it knows us by. */
export interface AcquirerAddress {
  url: string;
  token?: Secret<string> | undefined;
}

/** All acquirers by their names, the one at `BANK_URL` first. */
export function acquirerAddresses(
  env: Given & { BANK_URL: string; BANK_TOKEN?: Secret<string> | undefined },
): Record<string, AcquirerAddress> {
  const others = [...(env.ACQUIRERS ?? [])].map(([name, url]): [string, AcquirerAddress] => [
    name,
    { url, token: env.ACQUIRER_TOKENS?.get(name) },
  ]);
  return { [DEFAULT_ACQUIRER]: { url: env.BANK_URL, token: env.BANK_TOKEN }, ...Object.fromEntries(others) };
}

/** For the environment of any process: refuses a token whose acquirer has no address, because its name is mistyped. */
export function refuseUnknownTokens(env: Record<string, unknown>, ctx: z.RefinementCtx): void {
  const { ACQUIRERS, ACQUIRER_TOKENS } = env as Partial<Given>;
  for (const name of ACQUIRER_TOKENS?.keys() ?? []) {
    if (ACQUIRERS?.has(name)) continue;
    ctx.addIssue({ code: 'custom', path: ['ACQUIRER_TOKENS'], message: `names ${name}, which ACQUIRERS does not` });
  }
}

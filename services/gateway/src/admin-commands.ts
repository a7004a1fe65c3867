import { parseArgs } from 'node:util';
import { uuid } from '@cobro/contracts/ids.ts';
import { requiredText } from '@cobro/contracts/text.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { z } from 'zod';
import { bootstrap } from './registry/bootstrap.ts';
import { changeOrganization } from './registry/change-organization.ts';
import { createKey } from './registry/create-key.ts';
import { createOrganization } from './registry/create-organization.ts';
import { createPartner } from './registry/create-partner.ts';
import { listAllKeys } from './registry/key.store.ts';
import { listAllOrganizations } from './registry/organization.store.ts';
import { listAllPartners } from './registry/partner.store.ts';
import { revokeKey } from './registry/revoke-key.ts';

/** The command line is wrong; its message says how it should be. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type Result = object | object[];

interface Command {
  usage: string;
  options: z.ZodObject;
  run: (db: Database, options: never) => Promise<Result>;
}

const command = <S extends z.ZodObject>(
  usage: string,
  options: S,
  run: (db: Database, options: z.output<S>) => Promise<Result>,
): Command => ({ usage, options, run });

const name = requiredText(255);
const website = z.url({ error: 'must be a URL' }).optional();
const partner = uuid.optional();
const noOptions = z.object({});

const commands = new Map<string, Command>(
  Object.entries({
    'organizations create': command(
      '--name NAME [--website URL] [--partner ID]',
      z.object({ name, website, partner }),
      (db, options) =>
        createOrganization(db, { name: options.name, websiteUrl: options.website, partnerId: options.partner }),
    ),
    'organizations change': command(
      '--id ID [--name NAME] [--website URL] [--partner ID]',
      z.object({ id: uuid, name: name.optional(), website, partner }),
      (db, options) =>
        changeOrganization(db, {
          id: options.id,
          name: options.name,
          websiteUrl: options.website,
          partnerId: options.partner,
        }),
    ),
    'organizations list': command('', noOptions, listAllOrganizations),
    'partners create': command('--name NAME', z.object({ name }), (db, options) => createPartner(db, options.name)),
    'partners list': command('', noOptions, listAllPartners),
    'keys create': command(
      '(--organization ID [--mode test|live] | --partner ID)',
      z
        .object({ organization: uuid.optional(), partner, mode: z.enum(['test', 'live']).optional() })
        .refine(({ organization, partner: of }) => (organization === undefined) !== (of === undefined), {
          error: 'either --organization or --partner is needed',
        })
        .refine(({ partner: of, mode }) => of === undefined || mode === undefined, {
          error: '--mode is of an organization’s key only',
        }),
      async (db, { organization, partner: partnerId = '', mode = 'test' }) => {
        const { id, key } = await createKey(
          db,
          organization === undefined
            ? { kind: 'partner', partnerId }
            : { kind: 'merchant', mode, organizationId: organization },
        );
        return { id, key: key.reveal() };
      },
    ),
    'keys revoke': command('--id ID', z.object({ id: uuid }), async (db, { id }) => {
      await revokeKey(db, id);
      return { id, revoked: true };
    }),
    'keys list': command('', noOptions, listAllKeys),
    bootstrap: command('', noOptions, bootstrap),
  }),
);

const usage = () => {
  const lines = [...commands].map(([words, { usage: options }]) => `  ${words} ${options}`.trimEnd());
  return ['Commands:', ...lines, 'With --json the answer is one line of JSON.'].join('\n');
};

export interface CommandLine {
  json: boolean;
  run: (db: Database) => Promise<Result>;
}

/** Reads a command line without running it. @throws UsageError */
export function readCommandLine(args: string[]): CommandLine {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  const words = firstOption === -1 ? args : args.slice(0, firstOption);
  const found = commands.get(words.join(' '));
  if (found === undefined) throw new UsageError(usage());
  const wrong = (problem: string) =>
    new UsageError(`${problem}\nUsage: ${`${words.join(' ')} ${found.usage}`.trimEnd()} [--json]`);
  const { json, ...given } = parseOptions(args.slice(words.length), Object.keys(found.options.shape), wrong);
  const options = found.options.safeParse(given);
  if (options.success) return { json: json === true, run: (db) => found.run(db, options.data as never) };
  const problems = options.error.issues.map(({ path, message }) =>
    path[0] ? `--${String(path[0])} ${message}` : message,
  );
  throw wrong(problems.join('\n'));
}

function parseOptions(args: string[], names: string[], wrong: (problem: string) => UsageError) {
  const options = Object.fromEntries(names.map((option) => [option, { type: 'string' as const }]));
  try {
    return parseArgs({ args, options: { ...options, json: { type: 'boolean' } } }).values;
  } catch (error) {
    throw wrong((error as Error).message);
  }
}

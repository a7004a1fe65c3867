import { uuid } from '@cobro/contracts/ids.ts';
import { hexColor, requiredText } from '@cobro/contracts/text.ts';
import { type Database, openPatiently } from '@cobro/postgres/database.ts';
import { databaseSentence } from '@cobro/postgres/database-sentence.ts';
import { command, commandTable, EXAMPLE_ID, noOptions } from '@cobro/service-kit/admin-command.ts';
import { keyMode, secretUrl } from '@cobro/service-kit/config.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { z } from 'zod';
import { bootstrap } from './registry/bootstrap.ts';
import { changeOrganization } from './registry/organization-change.ts';
import { createKey } from './registry/create-key.ts';
import { createOrganization } from './registry/create-organization.ts';
import { createPartner } from './registry/create-partner.ts';
import { listAllKeys } from './registry/key.store.ts';
import {
  listAllOrganizations,
  type OrganizationChange,
  type StoredOrganization,
} from './registry/organization.store.ts';
import { listAllPartners, partnerExists } from './registry/partner.store.ts';
import { revokeKey } from './registry/revoke-key.ts';
import { gateway } from './service.ts';

interface Needs {
  db: Database;
  /** Which keys the deployment takes. */
  deployed: z.output<typeof keyMode>;
}

const name = requiredText(255);
/** What a merchant's record may contain besides the name. */
const details = {
  website: z.url({ error: 'must be a URL' }).optional(),
  partner: uuid.optional(),
  color: hexColor.optional(),
};
const detailsOf = ({ website, partner, color }: z.output<z.ZodObject<typeof details>>) => ({
  websiteUrl: website,
  partnerId: partner,
  color,
});
const DETAILS = "[--website URL] [--partner ID] [--color '#0a7f5c']";

/** @throws OperatorError for unknown ids */
async function changeGiven(db: Database, change: OrganizationChange): Promise<StoredOrganization> {
  const { id, partnerId } = change;
  if (partnerId !== undefined && !(await partnerExists(db, partnerId))) {
    throw new OperatorError(`There is no partner ${partnerId}.`);
  }
  const changed = await changeOrganization(db, change);
  if (changed === undefined) throw new OperatorError(`There is no organization ${id}.`);
  return changed.organization;
}

const organizations = [
  command({
    words: 'organizations create',
    usage: `--name NAME ${DETAILS}`,
    about: 'registers a merchant; the colour is that of its checkout page',
    example: ['--name', 'Café Tacuba', '--website', 'https://cafe.example'],
    options: z.object({ name, ...details }),
    run: ({ db }: Needs, given) => createOrganization(db, { name: given.name, ...detailsOf(given) }),
  }),
  command({
    words: 'organizations change',
    usage: `--id ID [--name NAME] ${DETAILS}`,
    about: 'changes what is given and leaves the rest as it is',
    example: ['--id', EXAMPLE_ID, '--color', '#0a7f5c'],
    options: z.object({ id: uuid, name: name.optional(), ...details }),
    run: ({ db }: Needs, given) => changeGiven(db, { id: given.id, name: given.name, ...detailsOf(given) }),
  }),
  command({
    words: 'organizations list',
    usage: '',
    about: 'shows all merchants, the oldest first',
    example: [],
    options: noOptions,
    run: ({ db }: Needs) => listAllOrganizations(db),
  }),
];

const partners = [
  command({
    words: 'partners create',
    usage: '--name NAME',
    about: 'registers a sales partner',
    example: ['--name', 'Ventas del Norte'],
    options: z.object({ name }),
    run: ({ db }: Needs, options) => createPartner(db, options.name),
  }),
  command({
    words: 'partners list',
    usage: '',
    about: 'shows all sales partners, the oldest first',
    example: [],
    options: noOptions,
    run: ({ db }: Needs) => listAllPartners(db),
  }),
];

const holder = z
  .object({ organization: uuid.optional(), partner: uuid.optional(), mode: z.enum(['test', 'live']).optional() })
  .refine(({ organization, partner }) => (organization === undefined) !== (partner === undefined), {
    error: 'either --organization or --partner is needed',
  })
  .refine(({ partner, mode }) => partner === undefined || mode === undefined, {
    error: '--mode is of an organization’s key only',
  });

const keys = [
  command({
    words: 'keys create',
    usage: '(--organization ID [--mode test|live] | --partner ID)',
    about: 'makes a key and shows it, this once; a merchant’s is of the mode that KEY_MODE names, and test without one',
    example: ['--organization', EXAMPLE_ID],
    options: holder,
    run: async ({ db, deployed }: Needs, { organization, partner: partnerId = '', mode = deployed }) => {
      const { id, key } = await createKey(
        db,
        organization === undefined
          ? { kind: 'partner', partnerId }
          : { kind: 'merchant', mode, organizationId: organization },
      );
      return { id, key: key.reveal() };
    },
  }),
  command({
    words: 'keys revoke',
    usage: '--id ID',
    about: 'ends a key for good, within a second',
    example: ['--id', EXAMPLE_ID],
    options: z.object({ id: uuid }),
    run: async ({ db }: Needs, { id }) => {
      await revokeKey(db, id);
      return { id, revoked: true };
    },
  }),
  command({
    words: 'keys list',
    usage: '',
    about: 'shows all keys by their last four characters, the oldest first',
    example: [],
    options: noOptions,
    run: ({ db }: Needs) => listAllKeys(db),
  }),
];

/** Merchants, sales partners and their keys. */
export const adminCommands = commandTable({
  name: gateway.name,
  environment: z.object({ DATABASE_URL: secretUrl, KEY_MODE: keyMode.default('test') }),
  open: ({ DATABASE_URL, KEY_MODE }): Needs => ({
    db: openPatiently({ url: DATABASE_URL.reveal(), schema: gateway.name, max: 1 }),
    deployed: KEY_MODE,
  }),
  close: ({ db }) => db.close(),
  explain: databaseSentence,
  commands: [
    ...organizations,
    ...partners,
    ...keys,
    command({
      words: 'bootstrap',
      usage: '',
      about: 'makes two partners, a merchant under each, and a test key of each: what a new deployment is tried with',
      example: [],
      options: noOptions,
      run: ({ db }: Needs) => bootstrap(db),
    }),
  ],
});

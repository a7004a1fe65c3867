import { uuid } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { databaseSentence } from '@cobro/postgres/database-sentence.ts';
import { command, commandTable, noOptions } from '@cobro/service-kit/admin-command.ts';
import { secretUrl, url } from '@cobro/service-kit/config.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { z } from 'zod';
import { inviteByOperator, resetByOperator } from './people/invite-by-operator.ts';
import type { Scope } from './people/roles.rules.ts';
import { dashboard } from './service.ts';

const email = z.email({ error: 'must be an e-mail address' }).max(254).toLowerCase();

interface Needs {
  db: Database;
  baseUrl: string;
}

interface Given {
  role: string;
  organization: string | undefined;
  partner: string | undefined;
}

function scopeOf({ role, organization, partner }: Given): { scope: Scope; role: string } {
  if (organization !== undefined && partner !== undefined)
    throw new OperatorError('Give one of --organization and --partner.');
  if (organization !== undefined) return { role, scope: { kind: 'organization', id: organization } };
  if (partner !== undefined) return { role, scope: { kind: 'partner', id: partner } };
  if (role !== 'platform') throw new OperatorError('Give --organization or --partner, or the role platform.');
  return { role: 'admin', scope: { kind: 'platform', id: null } };
}

/** Commands on who may use the dashboard. A link is shown once; anyone who has it can act as its person. */
export const adminCommands = commandTable({
  name: dashboard.name,
  environment: z.object({ DATABASE_URL: secretUrl, DASHBOARD_BASE_URL: url.optional() }),
  open: ({ DATABASE_URL, DASHBOARD_BASE_URL = '' }): Needs => ({
    db: openPatiently({ url: DATABASE_URL.reveal(), schema: dashboard.name, max: 1 }),
    baseUrl: DASHBOARD_BASE_URL.replace(/\/$/, ''),
  }),
  close: ({ db }) => db.close(),
  explain: databaseSentence,
  commands: [
    command({
      words: 'people invite',
      usage: '--email EMAIL --role ROLE [--organization ID] [--partner ID]',
      about:
        'makes a link by which somebody joins: platform, or owner, operator, read-only of an organization, or owner, viewer of a partner',
      example: ['--email', 'ana@example.com', '--role', 'platform'],
      options: z.object({ email, role: z.string(), organization: uuid.optional(), partner: uuid.optional() }),
      run: ({ db, baseUrl }: Needs, given) =>
        inviteByOperator(
          db,
          { email: given.email, ...scopeOf({ ...given, organization: given.organization, partner: given.partner }) },
          baseUrl,
        ),
    }),
    command({
      words: 'people reset',
      usage: '--email EMAIL [--factor]',
      about: 'makes a link for a new password, and with --factor for a new second factor too; make sure who asks',
      example: ['--email', 'ana@example.com', '--factor'],
      options: z.object({ email, factor: z.literal(true).optional() }),
      run: ({ db, baseUrl }: Needs, given) =>
        resetByOperator(db, { email: given.email, factor: given.factor === true }, baseUrl),
    }),
    command({
      words: 'people list',
      usage: '',
      about: 'shows who may do what, and when each signed in last',
      example: [],
      options: noOptions,
      run: ({ db }: Needs) =>
        db.many<object>(sql`
          select person.email, membership.scope, membership.scope_id as "scopeId", membership.role,
            (select max(began_at) from session where session.person_id = person.id and stage = 'full') as "signedInAt"
          from person left join membership on membership.person_id = person.id
          order by person.email, membership.id`),
    }),
  ],
});

import { centavosOf } from '@cobro/contracts/amount.ts';
import { uuid } from '@cobro/contracts/ids.ts';
import { must } from '@cobro/contracts/text.ts';
import { type Database, openPatiently, type Queries } from '@cobro/postgres/database.ts';
import { databaseSentence } from '@cobro/postgres/database-sentence.ts';
import { command, commandTable, EXAMPLE_ID, type Note } from '@cobro/service-kit/admin-command.ts';
import { secretUrl } from '@cobro/service-kit/config.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { z } from 'zod';
import { type FeeChannelRow, listFeeChannels, removeFeeChannel, setFeeChannel } from './fees/fee-channel.store.ts';
import { switchLinksOff } from './payment-links/switch-links-off.ts';
import { endAsOperator, listNotEnded } from './promotions/operate-promotions.ts';
import { lockOrganization } from './organizations/organization.store.ts';
import { payments } from './service.ts';
import { subscriptionCommands } from './subscriptions/subscription-commands.ts';

// Two decimals of a percentage are basis points, just as two decimals of a peso are centavos.
const percent = z
  .string(must('be a percentage with at most two decimals'))
  .regex(/^\d{1,2}(\.\d{1,2})?$/, { error: 'must be a percentage with at most two decimals' })
  .transform((text) => Number(centavosOf(Number(text))));

const anyOr = z
  .string()
  .default('')
  .transform((text) => text || null);

const organization = uuid;
const channel = {
  type: z.enum(['CARD_PRESENT', 'CARD_NOT_PRESENT']).default('CARD_NOT_PRESENT'),
  network: anyOr,
  funding: anyOr,
  terms: z
    .string()
    .regex(/^[1-9]\d?$/, { error: 'must be a number of months from 1 to 99' })
    .default('1')
    .transform(Number),
};
const CHANNEL = '[--type CARD_NOT_PRESENT] [--network VISA] [--funding CREDIT] [--terms 1]';

const fees = [
  command({
    words: 'fees default',
    usage: '--organization ID',
    about: 'sets 3.5 % for every card and kind, in 1, 3, 6, 9 and 12 terms, and shows the table of fees',
    example: ['--organization', EXAMPLE_ID],
    options: z.object({ organization }),
    run: (db: Database, options, note) => changeFees(db, options.organization, note, setDefaultFees),
  }),
  command({
    words: 'fees set',
    usage: `--organization ID --fee 3.5 ${CHANNEL} [--discount 1] [--take 2]`,
    about:
      'sets the rates of one kind of card in percent and shows the table of fees; without network or funding: of any',
    example: ['--organization', EXAMPLE_ID, '--fee', '3.25', '--network', 'VISA', '--terms', '3'],
    options: z
      .object({ organization, ...channel, fee: percent, discount: percent.prefault('0'), take: percent.prefault('0') })
      .refine(({ fee, discount }) => discount <= fee, { path: ['discount'], error: 'must not exceed the fee' }),
    run: (db: Database, { fee, discount, take, ...given }, note) =>
      changeFees(db, given.organization, note, (tx) =>
        setFeeChannel(tx, given.organization, {
          ...channelOf(given),
          feeBps: fee,
          promotionFeeDiscountBps: discount,
          promotionBusinessTakeBps: take,
        }),
      ),
  }),
  command({
    words: 'fees remove',
    usage: `--organization ID ${CHANNEL}`,
    about: 'takes the rates of exactly that kind of card away and shows what is left',
    example: ['--organization', EXAMPLE_ID, '--network', 'VISA', '--terms', '3'],
    options: z.object({ organization, ...channel }),
    run: (db: Database, given, note) =>
      changeFees(db, given.organization, note, async (tx) => {
        const removed = await removeFeeChannel(tx, given.organization, channelOf(given));
        if (removed === 0) throw new OperatorError('The table of fees has no such row.');
      }),
  }),
  command({
    words: 'fees list',
    usage: '--organization ID',
    about: 'shows the table of fees, in basis points: 350 is 3.5 %',
    example: ['--organization', EXAMPLE_ID],
    options: z.object({ organization }),
    run: (db: Database, options, note) => changeFees(db, options.organization, note, async () => {}),
  }),
];

const organizationOrAll = organization.optional();

/** For a rollback to a release that knows neither payment links nor promotions (docs/operations/upgrade.md). */
const areas = [
  command({
    words: 'payment-links switch-off',
    usage: '[--organization ID]',
    about:
      'switches all payment links of an organization off, or of all, and shows how many of each; a merchant may switch its own on again',
    example: ['--organization', EXAMPLE_ID],
    options: z.object({ organization: organizationOrAll }),
    run: (db: Database, options) => switchLinksOff(db, options.organization, new Date()),
  }),
  command({
    words: 'promotions list',
    usage: '[--organization ID]',
    about: 'shows the promotions that have not ended, of an organization or of all, the newest first',
    example: ['--organization', EXAMPLE_ID],
    options: z.object({ organization: organizationOrAll }),
    run: (db: Database, options) => listNotEnded(db, options.organization, new Date()),
  }),
  command({
    words: 'promotions end',
    usage: '--id ID',
    about: 'ends a promotion for good, as its merchant can; one that has ended stays as it is',
    example: ['--id', EXAMPLE_ID],
    options: z.object({ id: uuid }),
    run: async (db: Database, options) => {
      const ended = await endAsOperator(db, options.id);
      if (ended === undefined) throw new OperatorError(`There is no promotion ${options.id}.`);
      return ended;
    },
  }),
];

/** Returns the whole fee table as it is after the change. */
async function changeFees(
  db: Database,
  organizationId: string,
  note: Note,
  change: (tx: Queries, organizationId: string) => Promise<unknown>,
): Promise<FeeChannelRow[]> {
  const { isKnown, channels } = await db.inTransaction(async (tx) => {
    const known = await lockOrganization(tx, organizationId);
    await change(tx, organizationId);
    return { isKnown: known, channels: await listFeeChannels(tx, organizationId) };
  });
  // An unknown organization is not refused, because fees may be set before the event of a new organization has come.
  if (!isKnown) note(`payments has not heard of an organization ${organizationId} yet.`);
  return channels;
}

async function setDefaultFees(tx: Queries, organizationId: string): Promise<void> {
  for (const type of ['CARD_PRESENT', 'CARD_NOT_PRESENT'] as const) {
    for (const terms of [1, 3, 6, 9, 12]) {
      const rates = { feeBps: 350, promotionFeeDiscountBps: 0, promotionBusinessTakeBps: 0 };
      await setFeeChannel(tx, organizationId, { type, network: null, fundingSource: null, terms, ...rates });
    }
  }
}

const channelOf = (given: {
  type: FeeChannelRow['type'];
  network: string | null;
  funding: string | null;
  terms: number;
}) => ({ type: given.type, network: given.network, fundingSource: given.funding, terms: given.terms });

/** Operators' commands on fees and subscriptions, and those that a rollback needs. */
export const adminCommands = commandTable({
  name: payments.name,
  environment: z.object({ DATABASE_URL: secretUrl }),
  open: ({ DATABASE_URL }) => openPatiently({ url: DATABASE_URL.reveal(), schema: payments.name, max: 1 }),
  close: (db) => db.close(),
  explain: databaseSentence,
  commands: [...fees, ...subscriptionCommands, ...areas],
});

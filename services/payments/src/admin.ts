import { parseArgs } from 'node:util';
import { centavosOf } from '@cobro/contracts/amount.ts';
import { openDatabase, type Queries } from '@cobro/postgres/database.ts';
import { loadConfig, secretText } from '@cobro/service-kit/config.ts';
import { z } from 'zod';
import { type FeeChannelRow, listFeeChannels, removeFeeChannel, setFeeChannel } from './fees/fee-channel.store.ts';

const USAGE = `fees default --organization ID          3.5 % for every card and kind, in 1, 3, 6, 9 and 12 terms
fees set --organization ID --fee 3.5 [--type CARD_NOT_PRESENT] [--network VISA] [--funding CREDIT] [--terms 1] [--discount 1] [--take 2]
fees remove --organization ID [--type …] [--network …] [--funding …] [--terms …]
fees list --organization ID
`;

// Two decimals of a percentage are basis points, as two decimals of a peso are centavos.
const percent = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,2})?$/, { error: 'must be a percentage with at most two decimals' })
  .transform((text) => Number(centavosOf(Number(text))));

const anyOr = z
  .string()
  .default('')
  .transform((text) => text || null);

const fees = z
  .object({
    verb: z.enum(['default', 'set', 'remove', 'list'], { error: 'must be default, set, remove or list' }),
    organization: z.uuid({ error: 'must be a UUID' }),
    type: z.enum(['CARD_PRESENT', 'CARD_NOT_PRESENT']).default('CARD_NOT_PRESENT'),
    network: anyOr,
    funding: anyOr,
    terms: z
      .string()
      .regex(/^[1-9]\d?$/, { error: 'must be a number of months from 1 to 99' })
      .default('1')
      .transform(Number),
    fee: percent.optional(),
    discount: percent.default(0),
    take: percent.default(0),
  })
  .refine(({ verb, fee }) => verb !== 'set' || fee !== undefined, { path: ['fee'], error: 'is required' })
  .refine(({ fee, discount }) => discount <= (fee ?? 0), { path: ['discount'], error: 'must not exceed the fee' });
type Fees = z.output<typeof fees>;

/** The command line, or what is wrong with it. */
function readArguments(): Fees | string {
  const names = ['organization', 'type', 'network', 'funding', 'terms', 'fee', 'discount', 'take'];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options });
    const given = fees.safeParse({ ...values, verb: positionals[0] === 'fees' ? positionals[1] : undefined });
    if (given.success) return given.data;
    return given.error.issues
      .map(({ path, message }) => `${path[0] === 'verb' ? 'fees' : `--${String(path[0])}`}: ${message}`)
      .join('; ');
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

async function main(): Promise<number> {
  const given = readArguments();
  if (typeof given === 'string') {
    process.stderr.write(`${given}\n${USAGE}`);
    return 2;
  }
  const { DATABASE_URL } = loadConfig(z.object({ DATABASE_URL: secretText }));
  const db = openDatabase({ url: DATABASE_URL.reveal(), schema: 'payments', max: 1 });
  try {
    await db.inTransaction((tx) => carryOut(tx, given));
    for (const channel of await listFeeChannels(db, given.organization)) {
      process.stdout.write(`${JSON.stringify(channel)}\n`);
    }
    return 0;
  } finally {
    await db.close();
  }
}

async function carryOut(tx: Queries, given: Fees): Promise<void> {
  const { verb, organization, type, network, funding: fundingSource, terms, fee: feeBps } = given;
  const place = { type, network, fundingSource, terms };
  if (verb === 'default') {
    for (const kind of ['CARD_PRESENT', 'CARD_NOT_PRESENT'] as const) {
      for (const months of [1, 3, 6, 9, 12]) await setFeeChannel(tx, organization, defaultChannel(kind, months));
    }
  } else if (verb === 'set' && feeBps !== undefined) {
    const promotion = { promotionFeeDiscountBps: given.discount, promotionBusinessTakeBps: given.take };
    await setFeeChannel(tx, organization, { ...place, feeBps, ...promotion });
  } else if (verb === 'remove') {
    await removeFeeChannel(tx, organization, place);
  }
}

const defaultChannel = (type: FeeChannelRow['type'], terms: number): FeeChannelRow => ({
  type,
  network: null,
  fundingSource: null,
  terms,
  feeBps: 350,
  promotionFeeDiscountBps: 0,
  promotionBusinessTakeBps: 0,
});

process.exitCode = await main();

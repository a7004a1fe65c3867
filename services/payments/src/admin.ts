import { parseArgs } from 'node:util';
import { centavosOf } from '@cobro/contracts/amount.ts';
import { openDatabase } from '@cobro/postgres/database.ts';
import { loadConfig, secretText } from '@cobro/service-kit/config.ts';
import { z } from 'zod';
import { type FeeChannelRow, listFeeChannels, removeFeeChannel, setFeeChannel } from './fee-channel.store.ts';

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

const options = z.object({
  organization: z.uuid(),
  type: z.enum(['CARD_PRESENT', 'CARD_NOT_PRESENT']).default('CARD_NOT_PRESENT'),
  network: z
    .string()
    .default('')
    .transform((text) => text || null),
  funding: z
    .string()
    .default('')
    .transform((text) => text || null),
  terms: z.string().regex(/^\d+$/).default('1').transform(Number),
  fee: percent.optional(),
  discount: percent.default(0),
  take: percent.default(0),
});

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: Object.fromEntries(
      ['organization', 'type', 'network', 'funding', 'terms', 'fee', 'discount', 'take'].map((name) => [
        name,
        { type: 'string' as const },
      ]),
    ),
  });
  const given = options.safeParse(values);
  const verb = positionals[0] === 'fees' ? positionals[1] : undefined;
  if (!given.success || verb === undefined) {
    const why = given.success
      ? ''
      : `${given.error.issues.map((issue) => `--${issue.path.join('.')}: ${issue.message}`).join('; ')}\n`;
    process.stderr.write(`${why}${USAGE}`);
    return 2;
  }
  const { DATABASE_URL } = loadConfig(z.object({ DATABASE_URL: secretText }));
  const db = openDatabase({ url: DATABASE_URL.reveal(), schema: 'payments', max: 1 });
  try {
    return await run(verb, db, given.data);
  } finally {
    await db.close();
  }
}

async function run(
  verb: string,
  db: ReturnType<typeof openDatabase>,
  given: z.output<typeof options>,
): Promise<number> {
  const place = { type: given.type, network: given.network, fundingSource: given.funding, terms: given.terms };
  if (verb === 'default') {
    for (const type of ['CARD_PRESENT', 'CARD_NOT_PRESENT'] as const) {
      for (const terms of [1, 3, 6, 9, 12]) await setFeeChannel(db, given.organization, defaultChannel(type, terms));
    }
  } else if (verb === 'set' && given.fee !== undefined) {
    const rates = { feeBps: given.fee, promotionFeeDiscountBps: given.discount, promotionBusinessTakeBps: given.take };
    await setFeeChannel(db, given.organization, { ...place, ...rates });
  } else if (verb === 'remove') {
    await removeFeeChannel(db, given.organization, place);
  } else if (verb !== 'list') {
    process.stderr.write(USAGE);
    return 2;
  }
  for (const channel of await listFeeChannels(db, given.organization))
    process.stdout.write(`${JSON.stringify(channel)}\n`);
  return 0;
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

import { createHash, randomBytes } from 'node:crypto';
import { createClient } from '@cobro/client/client.ts';
import type pg from 'pg';
import { registerMerchant, type RunCommand, withCommands } from './run-command.ts';
import type { SeededStack } from './seeded-stack.ts';
import { withCheckDigit } from '@cobro/testing/card-numbers.ts';

export interface SeededMerchant {
  organizationId: string;
  /** How many payments it has, relative to the others. */
  weight: number;
}

/** The giant's part of all payments. */
const GIANT_SHARE = 0.4;
/** Merchants of the giant's partner; the others belong to the partners made here. */
const UNDER_THE_SAME_PARTNER = 25;
const OTHER_PARTNERS = ['Comercios Unidos', 'Red Bajío', 'Ventas Pacífico'];
/** One in this many other merchants uses another acquirer, if the stack has one. */
const AT_ANOTHER_ACQUIRER = 3;
/** One in this many other merchants has a terminal. */
const WITH_TERMINAL = 3;
const AT_ONCE = 4;

const trades = [
  'Abarrotes',
  'Farmacia',
  'Café',
  'Taller',
  'Ferretería',
  'Hotel',
  'Clínica',
  'Boutique',
  'Papelería',
  'Fonda',
];
const names = [
  'Xochimilco',
  'San Ángel',
  'La Paz',
  'Hidalgo',
  'Tepeyac',
  'Mixcoac',
  'El Faro',
  'Juárez',
  'Las Palmas',
  'Roma',
];

/** Registers merchants with an operator's commands, and saves their cards with their keys, as they would themselves. */
export async function makeMerchants(stack: SeededStack, client: pg.Client, count: number): Promise<SeededMerchant[]> {
  const owner = await ownerOf(client, stack.apiKey);
  const [another] = Object.keys(stack.otherBanks ?? {});
  const useAnother = async (organizationId: string) => {
    if (another === undefined) return;
    await client.query(
      `insert into payments.acquirer_choice (organization_id, acquirer) values ($1, $2)
       on conflict (organization_id) do update set acquirer = excluded.acquirer, fallback = null`,
      [organizationId, another],
    );
  };
  return withCommands(stack.databaseUrl, (run) => makeAll({ stack, run, useAnother }, owner, count));
}

interface Making {
  stack: SeededStack;
  run: RunCommand;
  /** From now on this organization's cards are saved at another acquirer, if the stack has one. */
  useAnother: (organizationId: string) => Promise<void>;
}

async function makeAll(making: Making, { organizationId, partnerId }: Owner, count: number): Promise<SeededMerchant[]> {
  const { stack, run, useAnother } = making;
  const partners = await Promise.all(OTHER_PARTNERS.map((name) => run('partners', 'create', '--name', name)));
  await saveCards(stack, stack.apiKey, 12);
  await useAnother(organizationId);
  await saveCards(stack, stack.apiKey, 12);
  for (const shop of ['Centro', 'Norte']) await openShop(run, organizationId, shop, 2);
  const merchants: SeededMerchant[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, lane) => {
      for (let at = lane + 1; at < count; at += AT_ONCE) {
        const partner = at < UNDER_THE_SAME_PARTNER ? partnerId : partners[at % partners.length]?.id;
        merchants.push({ organizationId: await makeMerchant(making, at, partner), weight: 1 / (at + 3) });
      }
    }),
  );
  const others = merchants.reduce((sum, { weight }) => sum + weight, 0);
  const { giantShare = GIANT_SHARE } = stack;
  return [{ organizationId, weight: (others * giantShare) / (1 - giantShare) }, ...merchants];
}

async function makeMerchant(
  { stack, run, useAnother }: Making,
  at: number,
  partner: string | null | undefined,
): Promise<string> {
  const name = `${trades[at % trades.length]} ${names[Math.floor(at / trades.length) % names.length]}${at < 100 ? '' : ` ${at}`}`;
  const { organizationId, apiKey } = await registerMerchant(run, name, partner);
  if (at % AT_ANOTHER_ACQUIRER === 1) await useAnother(organizationId);
  await saveCards(stack, apiKey, 6);
  if (at % WITH_TERMINAL === 0) await openShop(run, organizationId, 'Principal', 1);
  return organizationId;
}

/** Registers a shop, a salesperson and the shop's terminals. */
async function openShop(run: RunCommand, organizationId: string, name: string, terminals: number): Promise<void> {
  const create = (what: string, ...options: string[]) =>
    run(what, 'create', '--organization', organizationId, ...options);
  const some = randomBytes(4).toString('hex');
  const [branch, salesperson] = await Promise.all([
    create('branches', '--name', name),
    create('salespeople', '--name', 'Lucía Ramos', '--username', `lucia-${some}`),
  ]);
  const there = ['--branch', branch.id, '--salesperson', salesperson.id];
  for (let at = 1; at <= terminals; at++) await create('terminals', '--serial', `SN-${some}-${at}`, ...there);
}

interface Owner {
  organizationId: string;
  partnerId: string | null;
}

async function ownerOf(client: pg.Client, apiKey: string): Promise<Owner> {
  const { rows } = await client.query<Owner>(
    `select organizations.id as "organizationId", organizations.partner_id as "partnerId"
     from gateway.api_keys join gateway.organizations on organizations.id = api_keys.organization_id where hash = $1`,
    [createHash('sha256').update(apiKey).digest()],
  );
  const [owner] = rows;
  if (owner === undefined) throw new Error('the stack does not know its own apiKey');
  return owner;
}

/** Prefixes by which the bank simulator knows issuing banks, and the length of the card number. */
const issuers: [prefix: string, length: number][] = [
  ['424242', 16],
  ['400000', 16],
  ['415231', 16],
  ['402766', 16],
  ['491566', 16],
  ['520082', 16],
  ['557910', 16],
  ['378282', 15],
  ['506393', 16],
  ['506870', 16],
  ['453210', 16],
];

async function saveCards({ baseUrl }: SeededStack, apiKey: string, count: number): Promise<void> {
  const { paymentMethods } = createClient({ baseUrl, apiKey });
  for (let at = 0; at < count; at++) {
    const number = someNumber(issuers[at % issuers.length] ?? ['424242', 16]);
    const person = { firstName: 'Ana', lastName: 'Torres', email: 'ana.torres@example.com' };
    const cvc = number.length === 15 ? '1234' : '123';
    const card = { number, expirationMonth: 12, expirationYear: 2039, cvc, holderName: 'Ana Torres' };
    const saved = await paymentMethods.save({ card, billingInformation: person });
    await saved.settled();
  }
}

function someNumber([prefix, length]: [string, number]): string {
  const digits = Array.from({ length: length - prefix.length - 1 }, () => Math.floor(Math.random() * 10));
  return withCheckDigit(prefix + digits.join(''));
}

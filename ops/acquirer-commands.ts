import { openBank } from '@cobro/bank/bank-client.ts';
import type { Capabilities } from '@cobro/contracts/acquirer/capabilities.ts';
import { acquirerName } from '@cobro/contracts/acquirer-name.ts';
import { uuid } from '@cobro/contracts/ids.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { databaseSentence } from '@cobro/postgres/database-sentence.ts';
import { type AcquirerAddress, acquirerAddresses } from '@cobro/service-kit/acquirers-config.ts';
import { command, commandTable, EXAMPLE_ID, noOptions } from '@cobro/service-kit/admin-command.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { z } from 'zod';
import {
  chooseAcquirer,
  countAcquirerChoices,
  findAcquirerChoice,
} from '../services/payments/src/acquirers/acquirer-choice.store.ts';
import { organizationIsKnown } from '../services/payments/src/organizations/organization.store.ts';
import { sentences, type Tried, tryAll } from './conformance/conformance.ts';
import { openSchema, withAcquirers } from './schema-addresses.ts';

interface Needs {
  acquirers: Record<string, AcquirerAddress>;
  /** What the acquirer says that it can do. Undefined if it does not answer. */
  capabilitiesOf: (address: AcquirerAddress) => Promise<Capabilities | undefined>;
  isLive: boolean;
  payments: Database;
}

const name = acquirerName;

const commands = [
  command({
    words: 'acquirers list',
    usage: '',
    about:
      'shows the acquirers, what each says of itself, and how many organizations were told to send their new cards there',
    example: [],
    options: noOptions,
    run: async ({ acquirers, capabilitiesOf, isLive, payments }: Needs) => {
      const chosen = await countAcquirerChoices(payments);
      const shown = Object.entries(acquirers).map(async ([acquirer, address]) => {
        const said = await capabilitiesOf(address);
        return {
          acquirer,
          url: address.url,
          organizations: chosen.get(acquirer) ?? 0,
          state: stateOf(said, isLive),
          calledItself: said?.name ?? null,
          cardPresent: said?.cardPresent ?? null,
          inquiry: said?.inquiry ?? null,
          keepsKeysDays: said?.keepsKeysDays ?? null,
        };
      });
      return Promise.all(shown);
    },
  }),
  command({
    words: 'acquirers use',
    usage: '--organization ID --name NAME [--fallback NAME | --alone]',
    about:
      'sends the new cards of an organization to this acquirer; what is saved or paid already stays where it is. Fallback: where a card that is saved or pays a link goes, if the first vault provably got nothing; it stays as it is unless given; alone: there is none any more',
    example: ['--organization', EXAMPLE_ID, '--name', 'default'],
    options: z
      .object({ organization: uuid, name, fallback: name.optional(), alone: z.literal(true).optional() })
      .refine((given) => given.name !== given.fallback, { path: ['fallback'], error: 'must be another acquirer' })
      .refine((given) => given.fallback === undefined || given.alone === undefined, {
        error: 'either --fallback or --alone, not both',
      }),
    run: async (needs: Needs, { organization: organizationId, name: acquirer, fallback: given, alone }, note) => {
      for (const one of [acquirer, ...(given === undefined ? [] : [given])]) await requireUsable(needs, one);
      const before = await findAcquirerChoice(needs.payments, organizationId);
      const fallback = alone === true ? null : (given ?? before.fallback);
      if (fallback === acquirer) {
        throw new OperatorError(`${acquirer} is the organization’s fallback until now: give --fallback or --alone.`);
      }
      const choice = { acquirer, fallback };
      await chooseAcquirer(needs.payments, organizationId, choice);
      if (!(await organizationIsKnown(needs.payments, organizationId))) {
        note(`payments has not heard of an organization ${organizationId} yet.`);
      }
      return { organizationId, ...choice };
    },
  }),
  command({
    words: 'acquirers check',
    usage: '--name NAME',
    about: 'tries the sentences of the acquirer protocol that charge nobody; ends with 1 where one is broken',
    example: ['--name', 'default'],
    options: z.object({ name }),
    run: async (needs: Needs, given) => {
      const { url: at, token } = await requireUsable(needs, given.name);
      const only = sentences.filter(({ isHarmless }) => isHarmless === true).map((sentence) => sentence.name);
      const tokens = token === undefined ? [] : [token.reveal()];
      const options = { url: at, tokens, only, restart: undefined, moveClock: undefined };
      const tried: Tried[] = [];
      for await (const one of tryAll(options)) tried.push(one);
      return tried;
    },
    report: (tried) => ({
      text: tried
        .map(
          ({ outcome, says, because }) => `${outcome.padEnd(10)} ${says}${because === null ? '' : ` (${because})`}\n`,
        )
        .join(''),
      isBad: tried.some(({ outcome }) => outcome === 'FAILED'),
    }),
  }),
];

function stateOf(said: Capabilities | undefined, isLive: boolean): string {
  if (said === undefined) return 'does not answer';
  if (said.live === isLive) return 'in use';
  return said.live ? 'not used: it charges real cards' : 'not used: it charges no real cards';
}

/** @throws OperatorError if the deployment does not have this acquirer, or does not use it */
async function requireUsable({ acquirers, capabilitiesOf, isLive }: Needs, acquirer: string): Promise<AcquirerAddress> {
  const address = acquirers[acquirer];
  if (address === undefined) {
    throw new OperatorError(`No acquirer is named ${acquirer}. There are: ${Object.keys(acquirers).join(', ')}.`);
  }
  const state = stateOf(await capabilitiesOf(address), isLive);
  if (state === 'does not answer') throw new OperatorError(`The acquirer ${acquirer} does not answer.`);
  if (state !== 'in use') throw new OperatorError(`The acquirer ${acquirer} is ${state}.`);
  return address;
}

const CALL_TIMEOUT_MS = 8_000;

/** Which acquirers there are, and which of them an organization uses. */
export const acquirerCommands = commandTable({
  name: 'acquirers',
  environment: withAcquirers(['payments']),
  open: (env): Needs => {
    const { BANK_URL, BANK_TOKEN, ACQUIRERS, ACQUIRER_TOKENS, HTTPS_PROXY: proxyUrl, KEY_MODE, ...addresses } = env;
    return {
      acquirers: acquirerAddresses({ BANK_URL, BANK_TOKEN, ACQUIRERS, ACQUIRER_TOKENS }),
      capabilitiesOf: async (address) => {
        const timeouts = { connectTimeoutMs: CALL_TIMEOUT_MS, callTimeoutMs: CALL_TIMEOUT_MS };
        const bank = openBank({ ...address, proxyUrl, connections: 1, ...timeouts });
        try {
          return await bank.capabilities();
        } finally {
          await bank.close();
        }
      },
      isLive: KEY_MODE === 'live',
      payments: openSchema(addresses, 'payments'),
    };
  },
  close: ({ payments }) => payments.close(),
  explain: databaseSentence,
  commands,
});

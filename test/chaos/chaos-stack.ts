import { testCards } from '@cobro/contracts/test-cards.ts';
import { setFaults } from '@cobro/testing/bank-faults.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import { openGarblingBank } from '@cobro/testing/garbling-bank.ts';
import { proxyTo } from '@cobro/testing/tcp-proxy.ts';
import { until } from '@cobro/testing/until.ts';
import { openBalancers } from '../../bench/balanced-stack.ts';
import { saveCard } from '../../bench/merchants.ts';
import { registerMerchant, withCommands } from '../../dev/seed/run-command.ts';
import { say } from '../../dev/stack/in-own-run.ts';
import type { Run } from '../../dev/stack/run.ts';
import { refuseGivenServers } from '../../dev/stack/servers/given-servers.ts';
import { canInstallWithApt, installWithApt } from '../../dev/stack/servers/install-with-apt.ts';
import { startPrivateRabbitmq } from '../../dev/stack/servers/private-rabbitmq.ts';
import { findPrograms, type Programs } from '../../dev/stack/servers/programs.ts';
import { Sentence } from '../../dev/stack/servers/server.ts';
import { type StackOptions, startStack } from '../../dev/stack/stack.ts';
import { serviceNames } from '../../services/definitions.ts';
import { contradicting } from '../sick/sick-stack.ts';
import type { Shop } from './shop.ts';
import { sampling } from './traces.ts';

export type ChaosStack = Awaited<ReturnType<typeof startChaosStack>>;

/**
 * A stack on its own servers, with two acquirers and replicas of each service behind balancers. With one replica it has no dashboard,
 * which nobody asks here.
 */
export async function startChaosStack(
  run: Run,
  replicas: number,
  { services = namesOf(replicas), ...older }: Pick<StackOptions, 'services' | 'release'> = {},
) {
  refuseGivenServers('The chaos run kills servers, so it starts its own');
  process.env['STACK'] = 'native';
  const programs = findPrograms('rabbitmq') ?? (await installRabbitmq(run));
  const broker = await startPrivateRabbitmq(run, programs, { virtualHosts: 1 });
  const brokerProxy = await proxyTo(broker.url);
  await brokerProxy.restore();
  run.onStop(brokerProxy.cut);
  const rabbitmq = { ...broker, url: brokerProxy.url, virtualHostUrls: [brokerProxy.url] };
  const otherBank = await openGarblingBank();
  run.onStop(async () => otherBank.close());
  // Clients ask all gateways in turn, and nobody asks the dashboard.
  const { addresses, spreadOver } = await openBalancers(
    run,
    services.filter((name) => name !== 'gateway'),
  );
  const env = { ...addresses, ACQUIRERS: `other=${otherBank.url}`, TRUSTED_PROXY_HOPS: '1', ...sampling };
  const stack = await startStack({
    run,
    say,
    servers: { rabbitmq },
    checked: true,
    hasOtherBank: true,
    ...older,
    services,
    replicas: Object.fromEntries(services.map((name) => [name, replicas])),
    env: {
      bank: sampling,
      otherBank: { ...contradicting, ...sampling },
      ...Object.fromEntries(serviceNames.map((name) => [name, env])),
    },
  });
  spreadOver(stack);
  const otherUrl = stack.otherBanks['other'] ?? '';
  otherBank.standBefore(otherUrl);
  return {
    stack,
    /** Between the services and the broker. */
    brokerProxy,
    /** Between the services and the other acquirer. */
    otherBank,
    setBankFaults: (faults: object) => setFaultsSoon(stack.bankUrl, faults),
    setOtherFaults: (faults: object) => setFaultsSoon(otherUrl, faults),
  };
}

const namesOf = (replicas: number) => serviceNames.filter((name) => replicas > 1 || name !== 'dashboard');

async function installRabbitmq(run: Run): Promise<Programs['rabbitmq']> {
  if (canInstallWithApt()) await installWithApt(['rabbitmq'], run.logFile('apt-get'), say);
  const programs = findPrograms('rabbitmq');
  if (programs === undefined) throw new Sentence('The chaos run needs the programs of RabbitMQ on this machine.');
  return programs;
}

/** Waits, because an acquirer that was killed may still be starting. */
const setFaultsSoon = (url: string, faults: object) =>
  until('an acquirer takes its faults', () =>
    setFaults(url, faults).then(
      () => true,
      () => false,
    ),
  );

/**
 * Opens several organizations, because each may have only some calls to the bank under way. Every second one uses the other acquirer,
 * unless the release whose commands are `given` knows none. A session with a terminal uses the terminal up.
 */
export async function openShops(
  { stack: { databaseUrl, baseUrl } }: ChaosStack,
  count: number,
  { terminalsEach = 60, given }: { terminalsEach?: number; given?: typeof withCommands } = {},
): Promise<Shop[]> {
  return (given ?? withCommands)(databaseUrl, async (run) => {
    const shops: Shop[] = [];
    for (let n = 0; n < count; n++) {
      const { organizationId: id, apiKey } = await registerMerchant(run, `Shop ${n + 1}`);
      if (n % 2 === 1 && given === undefined) await choose(databaseUrl, id);
      const terminals: Shop['terminals'] = [];
      for (let t = 0; t < terminalsEach; t++) {
        const code = `SN-${n}-${t}`;
        const made = await run('terminals', 'create', '--organization', id, '--serial', code);
        terminals.push({ code, key: made.key ?? '' });
      }
      const card = await saveCard(baseUrl, apiKey, testCards.approved);
      const declining = await saveCard(baseUrl, apiKey, testCards.declined);
      shops.push({ apiKey, terminals, card, declining, subscriptions: [] });
    }
    return shops;
  });
}

const choose = (databaseUrl: string, organizationId: string): Promise<void> =>
  withClient({ connectionString: databaseUrl }, async (client) => {
    await client.query(`insert into payments.acquirer_choice (organization_id, acquirer) values ($1, 'other')`, [
      organizationId,
    ]);
  });

import { proxyTo } from '@cobro/testing/tcp-proxy.ts';
import type { Servers } from '../../dev/stack/servers/server.ts';
import { fromTestEnvironment } from '../../dev/stack/test-environment.ts';

/** Stops the broker like a crash, and starts it. Either one twice changes nothing. */
export interface BrokerSwitch {
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Servers for a stack, and the switch of their broker once the stack has started missing ones. */
export interface SwitchedServers {
  running: Partial<Servers>;
  brokerOf(servers: Servers): BrokerSwitch;
}

/** The test run's servers, with a proxy before the broker, because other tests use that too. */
export async function serversBehindSwitch(): Promise<SwitchedServers> {
  const servers = fromTestEnvironment();
  const proxy = await proxyTo(servers.rabbitmq.url);
  const broker = switchOf({ stop: proxy.cut, start: proxy.restore }, { running: false });
  await broker.start();
  const rabbitmq = { ...servers.rabbitmq, url: proxy.url, virtualHostUrls: [proxy.url] };
  return { running: { ...servers, rabbitmq }, brokerOf: () => broker };
}

/** The test run's servers without the broker: the stack starts its own, which can be killed. */
export function serversWithoutBroker(): SwitchedServers {
  const { postgres, redis } = fromTestEnvironment();
  return {
    running: { postgres, redis },
    brokerOf: ({ rabbitmq }) => switchOf({ stop: rabbitmq.kill, start: rabbitmq.start }, { running: true }),
  };
}

function switchOf(broker: BrokerSwitch, state: { running: boolean }): BrokerSwitch {
  const turn = (running: boolean, act: () => Promise<void>) => async () => {
    if (state.running === running) return;
    await act();
    state.running = running;
  };
  return { stop: turn(false, broker.stop), start: turn(true, broker.start) };
}

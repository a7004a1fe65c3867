import { freePort, freePortPreferring } from '@cobro/testing/free-port.ts';
import type { ServiceName } from '../../services/definitions.ts';

export interface PortWishes {
  /** How many replicas of each service; one unless given. */
  replicas?: Partial<Record<ServiceName, number>>;
  /** Ports that are used if they are free. */
  preferredPorts?: { gateway: number; partner: number; people: number; dashboard: number };
}

export interface Ports {
  bank: number;
  /** Port of the second simulator. */
  otherBank: number;
  services: Partial<Record<ServiceName, number[]>>;
  /** Ports of the gateway's other listeners, one per replica. */
  partner: number[];
  people: number[];
  /** Ports of the dashboard's pages, one per replica. */
  dashboard: number[];
}

const LISTENERS: Partial<Record<ServiceName, readonly ('partner' | 'people' | 'dashboard')[]>> = {
  gateway: ['partner', 'people'],
  dashboard: ['dashboard'],
};

/** Chooses ports for the bank and for each replica of these services. */
export async function choosePorts(services: readonly ServiceName[], wishes: PortWishes): Promise<Ports> {
  const ports: Ports = {
    bank: await freePort(),
    otherBank: await freePort(),
    services: {},
    partner: [],
    people: [],
    dashboard: [],
  };
  for (const service of services) {
    const own: number[] = [];
    const listeners = LISTENERS[service] ?? [];
    for (let replica = 0; replica < (wishes.replicas?.[service] ?? 1); replica++) {
      const preferred = replica === 0 ? wishes.preferredPorts : undefined;
      own.push(await freePortPreferring(service === 'gateway' ? preferred?.gateway : undefined));
      for (const listener of listeners) ports[listener].push(await freePortPreferring(preferred?.[listener]));
    }
    ports.services[service] = own;
  }
  return ports;
}

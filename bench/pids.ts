import type { ChildProcess } from 'node:child_process';
import { readRecord } from '../dev/stack/run-record.ts';
import type { Stack } from '../dev/stack/stack.ts';

/** The processes of everybody who takes part in a measurement, by name: services, bank, servers and acquirer of this run, and the driver, if there is one. */
export function pidsOf(stack: Stack, driver?: ChildProcess): Record<string, number[]> {
  const servers = ['postgres', 'rabbitmq', 'stripe', 'localstripe'].map((name) => {
    const recorded = readRecord(stack.run.folder)?.processes.filter((process) => process.name === name);
    return [name, recorded?.map(({ pid }) => pid) ?? []];
  });
  return { ...stack.processes.pids(), ...Object.fromEntries(servers), ...(driver && { driver: [driver.pid ?? 0] }) };
}

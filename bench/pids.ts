import type { ChildProcess } from 'node:child_process';
import { readRecord } from '../dev/stack/run-record.ts';
import type { Stack } from '../dev/stack/stack.ts';
import { print } from './bench-program.ts';
import { cpuMsEach, cpuSeconds } from './cpu.ts';

/** The processes of a measurement, by name: services, bank, servers and acquirer of this run, and the driver, if there is one. */
export function pidsOf(stack: Stack, driver?: ChildProcess): Record<string, number[]> {
  const servers = ['postgres', 'rabbitmq', 'stripe', 'localstripe'].map((name) => {
    const recorded = readRecord(stack.run.folder)?.processes.filter((process) => process.name === name);
    return [name, recorded?.map(({ pid }) => pid) ?? []];
  });
  return { ...stack.processes.pids(), ...Object.fromEntries(servers), ...(driver && { driver: [driver.pid ?? 0] }) };
}

/** Counts the CPU of all processes from now on; then prints, line by line, how much each took for one of `count`. */
export function countCpu(stack: Stack): (count: number, what: string) => void {
  const before = cpuSeconds(pidsOf(stack));
  return (count, what) => {
    for (const [name, ms] of Object.entries(cpuMsEach(before, cpuSeconds(pidsOf(stack)), count)))
      print(`CPU ms ${what}, ${name}: ${ms.toFixed(2)}`);
  };
}

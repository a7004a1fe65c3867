import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { testCards } from '@cobro/contracts/test-cards.ts';
import type { DemoPerson } from '../../ops/demo-people.ts';
import type { StackTerminal } from './create-terminal.ts';
import { stackFolder, writeByRename } from './run-record.ts';
import type { Stack } from './stack.ts';

export const demoFile = join(stackFolder, 'demo.json');

/** All test cards but the two of other networks. */
const cards = Object.fromEntries(
  Object.entries(testCards).filter(([name]) => name !== 'mastercardDebit' && name !== 'amexCredit'),
);

/** Where people sign in, and who can. */
export interface ShownDashboard {
  url: string;
  /** Signs the first owner in, once. */
  signInUrl: string;
  people: DemoPerson[];
}

/** Parts that only a shown stack has. */
export interface Shown {
  receiverUrl?: string | undefined;
  dashboard?: ShownDashboard;
}

/**
 * Keeps the record for programs that use the stack. It exists only while everything answers, and is rewritten whenever a pid
 * changes.
 */
export function keepDemoFile(stack: Stack, terminal: StackTerminal, shown: Shown): void {
  const write = () => writeByRename(demoFile, contentOf(stack, terminal, shown));
  write();
  stack.processes.onChange(write);
}

/** Removes the record of this stack. Another stack of this checkout may have written its own meanwhile; that one stays. */
export function removeDemoFile(clockUrl?: string): void {
  if (clockUrl === undefined || clockUrlInFile() === clockUrl) rmSync(demoFile, { force: true });
}

export function contentOf(stack: Stack, terminal: StackTerminal, { receiverUrl, dashboard }: Shown): object {
  const { baseUrl, partnerBaseUrl, bankUrl, clockUrl, databaseUrl, brokerUrl, eventsPrefix, redisUrl, merchants } =
    stack;
  return {
    baseUrl,
    partnerBaseUrl,
    apiKey: merchants.apiKey,
    otherApiKey: merchants.otherApiKey,
    partnerApiKey: merchants.partnerApiKey,
    otherPartnerApiKey: merchants.otherPartnerApiKey,
    terminalCode: terminal.code,
    terminalKey: terminal.key,
    ...(receiverUrl !== undefined && { webhooks: { receiverUrl } }),
    ...(dashboard !== undefined && { dashboard }),
    bankUrl,
    clockUrl,
    databaseUrl,
    brokerUrl,
    redisUrl,
    // For the commands on parked events. A broker of our own has no prefix.
    ...(eventsPrefix && { eventsPrefix }),
    serviceUrls: stack.urls,
    spansFile: stack.spansFile,
    logFolder: stack.logFolder,
    processes: stack.processes.pids(),
    cards,
  };
}

function clockUrlInFile(): string | undefined {
  try {
    return (JSON.parse(readFileSync(demoFile, 'utf8')) as { clockUrl: string }).clockUrl;
  } catch {
    return undefined;
  }
}

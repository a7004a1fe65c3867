import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listParked } from '@cobro/events/parked.ts';
import { brokenContracts } from '@cobro/testing/check-answers.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { counted } from './felt.ts';

/** Events that a consumer could not apply, as sentences. */
export async function parked({ brokerUrl, eventsPrefix }: Stack): Promise<string[]> {
  const events = await listParked({ url: brokerUrl, prefix: eventsPrefix });
  return counted(events.map(({ queue, type, reason }) => `${queue} has parked a ${type}: ${reason}`));
}

/** Answers that broke their contract, and statements too many, from the processes' logs. */
export function brokenContractsOf({ logFolder }: Stack): string[] {
  return readdirSync(logFolder)
    .filter((file) => file.endsWith('.log'))
    .flatMap((file) => brokenContracts(readFileSync(join(logFolder, file), 'utf8')));
}

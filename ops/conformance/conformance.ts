import { capabilities as capabilitiesContract } from '@cobro/contracts/acquirer/capabilities.ts';
import { openAcquirer } from './acquirer.ts';
import type { Kit, Sentence } from './sentence.ts';
import { failures } from './sentences/failures.ts';
import { forms } from './sentences/forms.ts';
import { inquiries } from './sentences/inquiries.ts';
import { keys } from './sentences/keys.ts';
import { cards, money } from './sentences/money.ts';
import { time } from './sentences/time.ts';
import { openTill } from './till.ts';

/** Every sentence, in the order in which they are tried. Those that move the clock come last. */
export const sentences: readonly Sentence[] = [
  ...forms,
  ...keys,
  ...inquiries,
  ...money,
  ...cards,
  ...failures,
  ...time,
];

export interface Tried {
  name: string;
  says: string;
  outcome: 'passed' | 'FAILED' | 'NOT TRIED';
  /** Why it failed, or was not tried. */
  because: string | null;
}

export interface ConformanceOptions extends Pick<Kit, 'tokens' | 'restart' | 'moveClock'> {
  url: string;
  /** Only these sentences; all if it is empty. */
  only: readonly string[];
}

/** Tries every sentence of the protocol at an acquirer. @throws if it gives no capabilities */
export async function* tryAll({ url, only, ...options }: ConformanceOptions): AsyncGenerator<Tried> {
  const acquirer = openAcquirer(url, options.tokens[0]);
  const { body } = await acquirer.ask('capabilities', {});
  const capabilities = capabilitiesContract.parse(body);
  const kit: Kit = { ...options, acquirer, capabilities, till: openTill(acquirer, capabilities) };
  for (const sentence of sentences) {
    if (only.length === 0 || only.includes(sentence.name)) yield await tried(sentence, kit);
  }
}

async function tried({ name, says, isHarmless, cannot, hold }: Sentence, kit: Kit): Promise<Tried> {
  const live = kit.capabilities.live && isHarmless !== true ? 'it would charge real cards' : undefined;
  const reason = live ?? cannot?.(kit);
  if (reason !== undefined) return { name, says, outcome: 'NOT TRIED', because: reason };
  try {
    await hold(kit);
    return { name, says, outcome: 'passed', because: null };
  } catch (error) {
    const { name: kind, message } = error as Error;
    return { name, says, outcome: 'FAILED', because: kind === 'Broken' ? message : `${kind}: ${message}` };
  }
}

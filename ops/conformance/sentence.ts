import type { Capabilities } from '@cobro/contracts/acquirer/capabilities.ts';
import type { Acquirer } from './acquirer.ts';
import type { Till } from './till.ts';

/** One sentence of the protocol, and how it is tried. */
export interface Sentence {
  name: string;
  says: string;
  /** Also tried if real cards are charged. */
  isHarmless?: true;
  /** Why it cannot be tried here. Undefined if it can. */
  cannot?(kit: Kit): string | undefined;
  /** @throws Broken if the acquirer breaks the sentence */
  hold(kit: Kit): Promise<void>;
}

/** What sentences are tried with. */
export interface Kit {
  acquirer: Acquirer;
  till: Till;
  capabilities: Capabilities;
  tokens: readonly string[];
  /** Kills the acquirer's process and starts it again. Resolves when it answers. */
  restart: (() => Promise<void>) | undefined;
  /** Sets the acquirer's clock to this time; undefined is the real time. */
  moveClock: ((to: Date | undefined) => Promise<void>) | undefined;
}

export const needsRestart = ({ restart }: Kit): string | undefined =>
  restart === undefined ? 'needs --restart' : undefined;

export const needsClosing = ({ capabilities }: Kit): string | undefined =>
  capabilities.inquiry === 'close' ? undefined : 'this acquirer closes nothing';

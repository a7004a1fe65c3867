import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { centavosOf } from '@cobro/contracts/amount.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import type { Cardholder, Decision, NextIntent } from './cardholder.ts';
import { emvOf } from './emv.rules.ts';
import { waitForChange, waitForIntent } from './intents-of-terminal.ts';
import { growingPauses, type Pauses, retryAfterOf } from './pauses.ts';
import { payUntilKnown, type TapEnd } from './pay-until-known.ts';
import type { OnStep } from './step.ts';
import { type ClientOptions, createTerminalClient, type Tap, type TerminalClient } from './terminal.client.ts';

export interface TerminalOptions extends ClientOptions {
  cardholder: Cardholder;
  /** Switches the terminal off. */
  signal: AbortSignal;
  /** Called with every step as it happens. */
  onStep?: OnStep;
  /** How often a terminal checks whether the intent it shows is still to be paid; each second unless given. */
  lookAgainMs?: number;
  /** How long a tap that perhaps never arrived may be sent again; 30 s unless given. */
  tapGoodForMs?: number;
}

interface Terminal extends Required<Omit<TerminalOptions, keyof ClientOptions>> {
  client: TerminalClient;
  /** Pauses after an intent that may be offered again at once. */
  setbacks: Pauses;
}

/**
 * A terminal of the shop: waits for its next intent, shows it, pays with what the cardholder presents, and goes on until the
 * signal ends it. The service then finishes a payment that is under way.
 */
export async function runTerminal(options: TerminalOptions): Promise<void> {
  const { cardholder, signal, onStep = () => {}, lookAgainMs = 1_000, tapGoodForMs = 30_000 } = options;
  const terminal: Terminal = {
    client: createTerminalClient(options),
    setbacks: growingPauses({ firstMs: 500, longestMs: 30_000 }),
    cardholder,
    signal,
    onStep,
    lookAgainMs,
    tapGoodForMs,
  };
  try {
    let intent: NextIntent | undefined;
    for (;;) {
      intent ??= await waitForIntent(terminal);
      intent = await serve(terminal, intent);
    }
  } catch (error) {
    // Switching the terminal off is no failure.
    if (!signal.aborted) throw error;
  }
}

/** Shows one intent until it is decided. Returns the next one if that replaced it. */
async function serve(terminal: Terminal, intent: NextIntent): Promise<NextIntent | undefined> {
  const { onStep } = terminal;
  onStep({ kind: 'shown', at: performance.now(), intent });
  for (let declines = 0; ;) {
    const decision = await decided(terminal, intent, declines);
    if (decision.does === 'change') {
      onStep({ kind: 'gone', at: performance.now(), intent });
      return decision.next;
    }
    if (decision.does === 'walkAway') {
      onStep({ kind: 'walkedAway', at: performance.now(), intent });
      return waitForChange(terminal, intent, terminal.signal);
    }
    if (decision.does === 'decline') return decline(terminal, intent, decision.reason);
    const end = await pay(terminal, intent, decision);
    if (end.kind === 'declined') declines++;
    if (end.kind === 'paid') {
      terminal.setbacks.reset();
      return undefined;
    }
    if (end.kind === 'refused') {
      // The service may offer the same intent again at once.
      await sleep(terminal.setbacks.next(), undefined, { signal: terminal.signal });
      return undefined;
    }
  }
}

type Change = { does: 'change'; next: NextIntent | undefined };

/** What the cardholder does, or the change that came first. */
async function decided(terminal: Terminal, intent: NextIntent, declines: number): Promise<Decision | Change> {
  const over = new AbortController();
  const signal = AbortSignal.any([terminal.signal, over.signal]);
  const change = async (): Promise<Change> => ({ does: 'change', next: await waitForChange(terminal, intent, signal) });
  try {
    return await Promise.race([Promise.resolve(terminal.cardholder({ intent, declines }, signal)), change()]);
  } finally {
    over.abort();
  }
}

async function pay(terminal: Terminal, intent: NextIntent, how: Decision & { does: 'pay' }): Promise<TapEnd> {
  const { client, signal, tapGoodForMs, onStep } = terminal;
  const tap = tapOf(intent, how);
  const about = { intent, attemptId: tap.attemptId };
  const { card, entryMode } = how;
  const lastFourDigits = card.number.reveal().slice(-4);
  onStep({ kind: 'tapped', at: performance.now(), ...about, lastFourDigits, entryMode });
  const onUnclear = (why: string) => onStep({ kind: 'unclear', at: performance.now(), ...about, why });
  const end = await payUntilKnown({ client, signal, tapGoodForMs, onUnclear }, intent.id, tap);
  onStep({ ...end, at: performance.now(), ...about });
  return end;
}

function tapOf(intent: NextIntent, { card, entryMode, terms }: Decision & { does: 'pay' }): Tap {
  const { number, expirationMonth, expirationYear } = card;
  const centavos = centavosOf(intent.amount);
  if (centavos === undefined) throw new Error(`${intent.amount} is not an amount`);
  const emv = emvOf({
    number: number.reveal(),
    expirationMonth,
    expirationYear,
    entryMode,
    centavos,
    at: new Date(),
    transactionCounter: randomInt(0x1_0000),
    unpredictable: hexadecimal(4),
    cryptogram: hexadecimal(8),
  });
  return {
    attemptId: randomUUID(),
    card,
    entryMode,
    ...(emv && { emv: new Secret(emv) }),
    ...(terms && { terms }),
  };
}

const hexadecimal = (bytes: number) => randomBytes(bytes).toString('hex').toUpperCase();

/** Turns the intent down at the terminal, and repeats this until the intent is cancelled or gone. */
async function decline(terminal: Terminal, intent: NextIntent, reason: string | undefined): Promise<undefined> {
  const { client, signal, onStep } = terminal;
  const pauses = growingPauses({ firstMs: 250, longestMs: 10_000 });
  for (;;) {
    const result = await client.decline(intent.id, reason === undefined ? {} : { reason }, signal);
    const at = performance.now();
    if (result.kind === 'done') {
      onStep({ kind: 'cancelled', at, intent });
      return undefined;
    }
    if (result.kind === 'refused' && (result.refusal.code === 'INTENT_NOT_PENDING' || result.refusal.status === 404)) {
      onStep({ kind: 'gone', at, intent });
      return undefined;
    }
    const pauseMs = pauses.next(retryAfterOf(result));
    onStep({ kind: 'trouble', at, result, pauseMs });
    await sleep(pauseMs, undefined, { signal });
  }
}

import { styleText } from 'node:util';
import type { Secret } from '@cobro/contracts/secret.ts';
import { type EntryMode, type TestCardName, testCard } from './card.ts';
import type { Cardholder, Decision } from './cardholder.ts';
import { type Input, listenForKeys } from './keys.ts';
import { runTerminal } from './run-terminal.ts';
import * as text from './screen-text.ts';
import type { Step } from './step.ts';

export interface ScreenOptions {
  code: string;
  baseUrl: string;
  key: Secret<string>;
  input: Input;
  output: NodeJS.WritableStream;
  /** Switches the terminal off from outside. */
  signal: AbortSignal;
}

/**
 * A terminal to operate by hand: shows each intent on `output` and takes single keys from `input`. Returns when it is switched
 * off, or its script is at its end: true unless its key was refused.
 */
export async function runScreen({ code, baseUrl, key, input, output, signal }: ScreenOptions): Promise<boolean> {
  const off = new AbortController();
  const switchOff = () => off.abort();
  signal.addEventListener('abort', switchOff);
  const say = (...lines: string[]) => void output.write(`${lines.join('\n')}\n`);
  const paint: text.Paint = (style, words) => styleText(style, words, { stream: output });
  const areTyped = input.isTTY === true;
  const desk = openDesk(areTyped, say, switchOff);
  say(...text.welcome(code, baseUrl));
  if (!areTyped) say('The input is not a keyboard, so the first letter of each line counts as a key.', '');
  const stopListening = listenForKeys(input, { onKey: desk.press, onEnd: desk.end });
  const show = createShow({ say, paint, baseUrl, code });
  let isRefused = false;
  const onStep = (step: Step) => {
    show(step);
    desk.follow(step);
    // A key that is not known now will not be known later.
    if (step.kind !== 'trouble' || step.result.kind !== 'refused') return;
    if (![401, 403].includes(step.result.refusal.status)) return;
    isRefused = true;
    off.abort();
  };
  await runTerminal({ baseUrl, key, signal: off.signal, cardholder: desk.cardholder, onStep });
  stopListening();
  signal.removeEventListener('abort', switchOff);
  if (desk.isPaying()) say('Switched off before the outcome of the payment was known.');
  return !isRefused;
}

/**
 * Gives each key its meaning of the moment. A key that a person types counts now or never; a letter of a script waits until
 * there is something to decide.
 */
function openDesk(areTyped: boolean, say: (...lines: string[]) => void, switchOff: () => void) {
  const pressed: string[] = [];
  let hasEnded = false;
  let isPaying = false;
  let isBusy = false;
  let card: TestCardName = 'approved';
  let decide: ((decision: Decision) => void) | undefined;

  const decisionOf = (key: string): Decision | undefined => {
    const entryMode = text.ENTRY_KEYS[key];
    if (entryMode !== undefined) return { does: 'pay', card: testCard(card), entryMode };
    if (key === 'd') return { does: 'decline', reason: 'declined at the terminal' };
    return key === 'w' ? { does: 'walkAway' } : undefined;
  };
  /** Returns false if the key has to wait: a letter of a script waits for the outcome of the letter before it. */
  const use = (key: string): boolean => {
    if (!areTyped && isBusy) return false;
    const chosen = text.CARD_KEYS[key];
    const decision = decisionOf(key);
    if (key === 'q') switchOff();
    else if (chosen !== undefined) {
      card = chosen;
      say(text.cardChosen(card));
    } else if (decision === undefined) say(`${text.plain(key)} is no key of this terminal.`);
    else if (decide !== undefined) {
      isBusy = true;
      decide(decision);
      decide = undefined;
    } else if (areTyped) say(isBusy ? 'Wait for the outcome first.' : 'There is nothing to pay yet.');
    else return false;
    return true;
  };
  const useAll = () => {
    while (pressed[0] !== undefined && use(pressed[0])) pressed.shift();
    if (hasEnded && pressed.length === 0 && !isBusy) switchOff();
  };
  const cardholder: Cardholder = (_shown, signal) =>
    new Promise((resolve) => {
      decide = resolve;
      signal.addEventListener('abort', () => (decide = undefined), { once: true });
      say(text.prompt(card));
      useAll();
    });
  return {
    cardholder,
    press: (key: string) => {
      pressed.push(key);
      useAll();
    },
    end: () => {
      hasEnded = true;
      if (areTyped) switchOff();
      else useAll();
    },
    isPaying: () => isPaying,
    follow: ({ kind }: Step) => {
      if (kind === 'tapped') isPaying = true;
      if (!['paid', 'declined', 'refused', 'notCharged', 'cancelled', 'walkedAway', 'gone'].includes(kind)) return;
      isPaying = isBusy = false;
      useAll();
    },
  };
}

interface Show {
  say: (...lines: string[]) => void;
  paint: text.Paint;
  baseUrl: string;
  code: string;
}

/** Prints each step in words. A repeated line is printed once. */
function createShow({ say, paint, baseUrl, code }: Show): (step: Step) => void {
  let lastSaid = '';
  let isInTrouble = false;
  let entryMode: EntryMode = 'CONTACTLESS';
  const sayOnce = (line: string) => {
    if (line !== lastSaid) say(...text.wrap(line));
    lastSaid = line;
  };
  return (step) => {
    switch (step.kind) {
      case 'waiting':
        return isInTrouble ? undefined : sayOnce('Waiting for an intent.');
      case 'back':
        isInTrouble = false;
        return sayOnce('The service answers again.');
      case 'trouble':
        isInTrouble = true;
        return sayOnce(troubleOf(step.result, { baseUrl, code }));
      case 'unclear':
        return sayOnce(`No outcome yet (${step.why}): asking again.`);
      case 'tapped':
        entryMode = step.entryMode;
        return sayOnce(text.cardPresented(step.lastFourDigits, step.entryMode));
      case 'shown':
      case 'paid':
      case 'declined':
      case 'refused':
      case 'notCharged':
      case 'cancelled':
      case 'gone':
      case 'walkedAway':
        lastSaid = '';
        return say(...resultOf(step, entryMode, paint));
    }
  };
}

type Result = Exclude<Step, { kind: 'waiting' | 'back' | 'trouble' | 'unclear' | 'tapped' }>;

function resultOf(step: Result, entryMode: EntryMode, paint: text.Paint): string[] {
  switch (step.kind) {
    case 'shown':
      return text.intentShown(step.intent, paint);
    case 'paid':
      return text.receipt({ intent: step.intent, paid: step.paid, entryMode, at: new Date() }, paint);
    case 'declined':
      return text.declined(step.declineCode, paint);
    case 'refused':
      return text.refused(step.code, step.message, paint);
    case 'notCharged':
      return text.wrap(
        'The service did not get the payment in time. Nothing was charged; the card may be presented again.',
      );
    case 'cancelled':
      return text.wrap('Declined at the terminal: the intent is cancelled.');
    case 'gone':
      return text.wrap('The intent is gone: it was replaced or cancelled, or it has expired.');
    case 'walkedAway':
      return text.wrap(
        'The cardholder walks away. The intent stays open until it is replaced or cancelled, or expires.',
      );
  }
}

function troubleOf(result: (Step & { kind: 'trouble' })['result'], { baseUrl, code }: Pick<Show, 'baseUrl' | 'code'>) {
  if (result.kind === 'lost') return `The gateway at ${baseUrl} cannot be reached (${result.why}); trying again.`;
  const { refusal } = result;
  if (refusal.status === 401 || refusal.status === 403)
    return `The key of terminal ${code} was refused (${refusal.status} ${refusal.code}): it is wrong or revoked.`;
  return `The service cannot be used now (${refusal.status} ${refusal.code}); trying again.`;
}

/** Waiters by the keys that they wait for. Waiting costs memory only: no waiter looks without a signal. */
export interface Signals<Look> {
  /** Begins to wait for signals of any of these keys. Look for the first time only after calling this. */
  wait(keys: readonly string[], ms: number): Waiter<Look>;
  /** Those that waited longest come first. */
  waitingFor(key: string): Waiter<Look>[];
  all(): Waiter<Look>[];
}

export function createSignals<Look>(): Signals<Look> {
  const byKey = new Map<string, Set<Waiter<Look>>>();
  const leave = (waiter: Waiter<Look>) => {
    for (const key of waiter.keys) {
      const others = byKey.get(key);
      if (others?.delete(waiter) === true && others.size === 0) byKey.delete(key);
    }
  };
  return {
    wait: (keys, ms) => {
      const waiter = new Waiter<Look>(keys, ms, leave);
      for (const key of keys) {
        const others = byKey.get(key);
        if (others === undefined) byKey.set(key, new Set([waiter]));
        else others.add(waiter);
      }
      return waiter;
    },
    waitingFor: (key) => [...(byKey.get(key) ?? [])],
    all: () => [...new Set([...byKey.values()].flatMap((waiters) => [...waiters]))],
  };
}

type Looked<Look> = (look: Look | undefined) => void;

/**
 * Looks again at each signal of its keys. A signal that comes during a look is kept for the next look. It is a class, because there
 * are thousands of waiters, and closures would take memory for each.
 */
export class Waiter<Look> {
  readonly keys: readonly string[];
  readonly #leave: (waiter: Waiter<Look>) => void;
  readonly #timer: NodeJS.Timeout;
  /** Signals that no look has answered yet. Undefined when the waiting is over. */
  #signals: Looked<Look>[] | undefined = [];
  #wake: ((signal: Looked<Look> | undefined) => void) | undefined;

  constructor(keys: readonly string[], ms: number, leave: (waiter: Waiter<Look>) => void) {
    this.keys = keys;
    this.#leave = leave;
    this.#timer = setTimeout(() => this.end(), ms);
  }

  /** Makes the waiter look again. Resolves with what that look brought, or undefined if it waits no longer. */
  signal(): Promise<Look | undefined> {
    return new Promise((looked) => {
      if (this.#signals === undefined) looked(undefined);
      else if (this.#wake === undefined) this.#signals.push(looked);
      else this.#goOn(looked);
    });
  }

  /** Resolves at the next signal with a function that takes what the look brought, or with undefined if the waiting is over. */
  next(): Promise<Looked<Look> | undefined> {
    return new Promise((resolve) => {
      if (this.#signals === undefined || this.#signals.length > 0) resolve(this.#signals?.shift());
      else this.#wake = resolve;
    });
  }

  end(): void {
    const unanswered = this.#signals ?? [];
    this.#signals = undefined;
    clearTimeout(this.#timer);
    this.#leave(this);
    for (const looked of unanswered) looked(undefined);
    this.#goOn(undefined);
  }

  #goOn(signal: Looked<Look> | undefined): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.(signal);
  }
}

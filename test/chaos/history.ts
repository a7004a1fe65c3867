import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

/** The unit that is judged: a payment, a one-time payment, a terminal, a counter, a subscription, or a payment in the Developer API. */
export interface Part {
  /** The judge's model (test/histories); `other` is counted and not judged. */
  model: 'payment' | 'link' | 'terminal' | 'counter' | 'developer' | 'subscription' | 'other';
  part: string;
}

/** The fields of a request or an answer that a model uses. Amounts are centavos. */
export interface Known {
  id?: string | undefined;
  status?: string | undefined;
  amount?: number | undefined;
  held?: number | undefined;
  hold?: boolean | undefined;
  /** For a subscription: a period, whether it ends with its period, whether its card is always declined, and why it ended. */
  number?: number | undefined;
  atEnd?: boolean | undefined;
  declines?: boolean | undefined;
  reason?: string | undefined;
  periods?: { number: number; status: string; amount?: number | undefined; id?: string | undefined }[] | undefined;
}

export interface Timed {
  /** Microseconds. */
  start: number;
  /** Null if the outcome of the request is not known. */
  end: number | null;
}

export interface Call extends Part, Timed {
  client: number;
  op: string;
  in: Known;
  /** The status and the code of a refusal, or `cut`. */
  answer: string;
  out: Known;
}

export type History = ReturnType<typeof openHistory>;

export const microseconds = (): number => Math.round(performance.now() * 1_000);

/** All calls of a run, as JSON lines in a file. */
export function openHistory(file: string) {
  const stream = createWriteStream(file);
  const note = (call: Call): void => void stream.write(`${JSON.stringify(call)}\n`);
  return {
    note,
    /** Records that from this moment `amount` may be taken from a counter. */
    made: (part: Part, amount: number, at: number) =>
      note({ ...part, client: 0, op: 'made', in: { amount }, start: at, end: at, answer: '201', out: {} }),
    close: async () => {
      stream.end();
      await once(stream, 'finish');
    },
  };
}

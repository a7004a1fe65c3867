import { createInterface, emitKeypressEvents, type Key } from 'node:readline';
import type { ReadStream } from 'node:tty';

export interface KeyListener {
  onKey: (key: string) => void;
  onEnd: () => void;
}

export type Input = NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>>;

/**
 * Listens for single keys: at once as they are pressed or, if the input is not a keyboard, as the first letter of each line.
 * Returns a function that ends it.
 */
export function listenForKeys(input: Input, { onKey, onEnd }: KeyListener): () => void {
  if (!input.isTTY) {
    const lines = createInterface({ input });
    lines.on('line', (line) => {
      const [letter] = line.trim();
      if (letter !== undefined) onKey(letter.toLowerCase());
    });
    lines.on('close', onEnd);
    return () => lines.close();
  }
  emitKeypressEvents(input);
  input.setRawMode?.(true);
  input.on('keypress', (_text: string | undefined, { ctrl, meta, name, sequence }: Key) => {
    // In raw mode Ctrl-C is a key like any other.
    if (ctrl === true && (name === 'c' || name === 'd')) onEnd();
    else if (ctrl !== true && meta !== true && sequence?.length === 1) onKey(sequence.toLowerCase());
  });
  input.on('end', onEnd);
  input.resume();
  return () => {
    input.setRawMode?.(false);
    input.pause();
  };
}

import { closeSync, fstatSync, openSync, readSync, renameSync, truncateSync, writeFileSync, writeSync } from 'node:fs';

/** How much of its newest output a run keeps: of its spans, and of each log. */
export const KEPT_BYTES = 20 * 1024 * 1024;

const CHUNK_BYTES = 1024 * 1024;

/**
 * Cuts a file down to the newest whole lines within `bytes`. Only for a file that this process alone appends to. A reader who
 * opens the file sees either the old or the new content, never something in between.
 */
export function keepNewestLines(file: string, bytes: number): void {
  const newest = Buffer.alloc(bytes);
  const from = openSync(file, 'r');
  try {
    const position = Math.max(0, fstatSync(from).size - bytes);
    const read = readSync(from, newest, 0, bytes, position);
    const firstLine = position === 0 ? 0 : newest.indexOf('\n') + 1;
    writeFileSync(`${file}.new`, newest.subarray(firstLine, read), { mode: 0o600 });
  } finally {
    closeSync(from);
  }
  renameSync(`${file}.new`, file);
}

/**
 * Moves the content of `<name>.log` to `<name>.1.log` and empties it, while other processes keep it open and go on appending to
 * it. A line that is written between the last read and the emptying is lost.
 */
export function startLogOver(log: string): void {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const from = openSync(log, 'r');
  const older = log.replace(/log$/, '1.log');
  const to = openSync(`${older}.new`, 'w', 0o600);
  try {
    const copyRest = () => {
      for (let read = readSync(from, chunk); read > 0; read = readSync(from, chunk)) writeSync(to, chunk, 0, read);
    };
    copyRest();
    renameSync(`${older}.new`, older);
    copyRest();
    truncateSync(log);
  } finally {
    closeSync(from);
    closeSync(to);
  }
}

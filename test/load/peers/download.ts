import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { messageOf, Sentence } from '../../../tools/stack/servers/server.ts';

/** What benches download is kept here, outside the checkout and its packages. */
export const cacheFolder = join(homedir(), '.cache', 'cobro-bench');

/** A file that is on a public server, and what its content has to be. */
export interface PinnedFile {
  url: string;
  sha256: string;
}

const DOWNLOADED_WITHIN_MS = 5 * 60_000;

/** The file's place in the cache, downloaded if it is not there. @throws Sentence where it cannot be had */
export async function download({ url, sha256 }: PinnedFile, say: (line: string) => void): Promise<string> {
  const file = join(cacheFolder, basename(new URL(url).pathname));
  if (sha256Of(read(file)) === sha256) return file;
  say(`downloading ${url}`);
  const content = await fetched(url);
  if (sha256Of(content) !== sha256) throw new Sentence(`${url} is not the file that was pinned: its SHA-256 differs.`);
  mkdirSync(cacheFolder, { recursive: true });
  const next = `${file}.${process.pid}.new`;
  writeFileSync(next, content);
  renameSync(next, file);
  return file;
}

async function fetched(url: string): Promise<Buffer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOADED_WITHIN_MS) });
    if (!response.ok) throw new Error(`the answer was ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    throw new Sentence(`The bench needs ${url} and cannot download it: ${messageOf(cause ?? error)}.`);
  }
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

const sha256Of = (content: Buffer | undefined) =>
  content === undefined ? undefined : createHash('sha256').update(content).digest('hex');

import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeByRename } from '../stack/run-record.ts';

/** How far a key's events have been shown, and the secret that signs the forwarded ones. */
interface Kept {
  cursor?: string;
  secret: string;
}

export interface Position extends Kept {
  moveTo(cursor: string): void;
}

/** The file's entry for this key. Another stack has other keys, so its events begin anew. */
export function openPosition(file: string, apiKey: string): Position {
  const name = createHash('sha256').update(apiKey).digest('hex').slice(0, 16);
  const all = () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Kept>) : {});
  const kept = all()[name] ?? { secret: `whsec_${randomBytes(24).toString('base64')}` };
  const write = () => writeByRename(file, { ...all(), [name]: kept });
  write();
  return {
    ...kept,
    moveTo: (cursor) => {
      kept.cursor = cursor;
      write();
    },
  };
}

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export const pathFolders = (): string[] =>
  (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of the first of these programs that is in one of the folders. */
export const findProgram = (names: string[], folders: string[] = pathFolders()): string | undefined =>
  names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);

import { type FSWatcher, watch } from 'node:fs';

/**
 * Applies the certificates of a folder again when its files change. A file that is being replaced, or is no certificate, changes
 * nothing.
 * @param variable the environment variable that names the folder
 */
export function watchCertificates(variable: string, folder: string, apply: () => void): FSWatcher {
  return watch(folder, { persistent: false }, () => {
    try {
      apply();
    } catch (error) {
      process.emitWarning(`${variable}: the certificates as they were stay in force: ${String(error)}`);
    }
  });
}

import { type FSWatcher, watch } from 'node:fs';

/**
 * Applies the certificates of a folder again whenever its files change, so that they are renewed without a restart. A file that is
 * just being replaced, or is no certificate, leaves the process with what it had before.
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

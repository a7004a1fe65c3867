import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { watchCertificates } from './watch-certificates.ts';

/**
 * Images preload this file. Every file in TRUSTED_AUTHORITIES holds certificates (PEM) of authorities that this process believes
 * beside Node's, such as Postgres' own. Open connections stay open when the files change.
 */
const folder = process.env['TRUSTED_AUTHORITIES'];
if (folder !== undefined && folder !== '') {
  const nodes = getCACertificates('default');
  const believe = () => {
    const files = readdirSync(folder).filter((file) => !file.startsWith('.'));
    setDefaultCACertificates([...nodes, ...files.map((file) => readFileSync(join(folder, file), 'utf8'))]);
  };
  believe();
  watchCertificates('TRUSTED_AUTHORITIES', folder, believe);
}

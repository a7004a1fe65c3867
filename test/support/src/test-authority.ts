import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A test's own certificate authority, made by openssl. */
export interface TestAuthority {
  certificate: string;
  /** A new key and certificate for servers and clients. */
  issue(): { cert: string; key: string };
  /**
   * Writes a new certificate with its key, and the trusted authorities, into the folder: as `tls.crt`, `tls.key` and `ca.crt`, or as
   * `<name>.crt` and `<name>.key`. Files are replaced whole, as Kubernetes does it.
   */
  write(folder: string, name?: string, believed?: TestAuthority[]): void;
  remove(): void;
}

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** @param hosts the names and addresses in its certificates */
export function testAuthority(hosts = ['localhost']): TestAuthority {
  const own = mkdtempSync(join(tmpdir(), 'cobro-authority-'));
  const at = (file: string) => join(own, file);
  const openssl = (...args: string[]) => void execFileSync('openssl', args, { cwd: own, stdio: 'pipe' });
  const read = (file: string) => readFileSync(at(file), 'utf8');
  openssl(
    'req',
    '-x509',
    ...EC,
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
    '-days',
    '2',
    '-subj',
    '/CN=authority of a test',
  );
  const names = hosts.map((host) => `${isIP(host) === 0 ? 'DNS' : 'IP'}:${host}`).join(',');
  writeFileSync(at('extensions'), `subjectAltName=${names}\nextendedKeyUsage=serverAuth,clientAuth\n`);
  const sign = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '1', '-extfile', 'extensions'];
  const issue = () => {
    openssl('req', ...EC, '-keyout', 'new.key', '-out', 'new.csr', '-subj', '/CN=cobro');
    openssl('x509', '-req', '-in', 'new.csr', '-out', 'new.crt', ...sign);
    return { cert: read('new.crt'), key: read('new.key') };
  };
  const authority: TestAuthority = {
    certificate: read('ca.crt'),
    issue,
    write: (folder, name = 'tls', believed = [authority]) => {
      issue();
      writeFileSync(at('believed.crt'), believed.map(({ certificate }) => certificate).join(''));
      const files = {
        [`${name}.key`]: 'new.key',
        [`${name}.crt`]: 'new.crt',
        ...(name === 'tls' && { 'ca.crt': 'believed.crt' }),
      };
      for (const [file, source] of Object.entries(files)) copyFileSync(at(source), join(folder, `.${file}`));
      for (const file of Object.keys(files)) renameSync(join(folder, `.${file}`), join(folder, file));
    },
    remove: () => rmSync(own, { recursive: true }),
  };
  return authority;
}

import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const DAYS = ['-days', '2'];
const KEY = ['-newkey', 'rsa:2048', '-nodes'];

/** Returns true if the program `openssl`, which `createAuthority` requires, is on the PATH. */
export function hasOpenssl(): boolean {
  return spawnSync('openssl', ['version']).status === 0;
}

/** Holds the paths of a certificate and of its key, both in PEM. */
export interface Authority {
  readonly certificate: string;
  readonly key: string;
}

/** Creates a certificate authority in a folder. @param name the name of the authority and of its files */
export function createAuthority(folder: string, name: string): Authority {
  const [certificate, key] = [join(folder, `${name}.pem`), join(folder, `${name}-key.pem`)];
  runOpenssl(['req', '-x509', ...KEY, ...DAYS, '-subj', `/CN=${name}`, '-keyout', key, '-out', certificate]);
  return { certificate, key };
}

/** Creates a certificate that an authority signs. The certificate is valid only for 127.0.0.1, not for localhost. */
export function createCertificate(folder: string, authority: Authority): Authority {
  const [request, certificate, key] = [
    join(folder, 'request.pem'),
    join(folder, 'server.pem'),
    join(folder, 'key.pem'),
  ];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  runOpenssl(['req', '-new', ...KEY, ...subject, '-keyout', key, '-out', request]);
  const by = ['-CA', authority.certificate, '-CAkey', authority.key, '-CAcreateserial', '-copy_extensions', 'copy'];
  runOpenssl(['x509', '-req', ...DAYS, '-in', request, ...by, '-out', certificate]);
  return { certificate, key };
}

function runOpenssl(parameters: readonly string[]): void {
  execFileSync('openssl', [...parameters], { stdio: 'ignore' });
}

import { readFileSync } from 'node:fs';
import { ConfigurationError } from './configuration-error.js';

/**
 * Lists the accepted values of `sslmode`. With `require` and `verify-full`, pg verifies the certificate of the server
 * and the host name in the certificate.
 */
const MODES = ['disable', 'no-verify', 'require', 'verify-full'];
const FILES = ['sslrootcert', 'sslcert', 'sslkey'];
const PEM = /-----BEGIN [A-Z ]+-----/;

/**
 * Validates the TLS parameters of a PostgreSQL address.
 *
 * @param variable the name of the variable that holds the address
 * @returns the address with `verify-full` in place of `require`, because pg warns that a future version will not verify
 * certificates with `require`
 * @throws ConfigurationError
 */
export function parsePostgresAddress(variable: string, url: string): string {
  const [, query = ''] = /\?(.*)/.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const mode = parameters.get('sslmode');
  const problems = FILES.flatMap((name) => findCertificateFileProblems(name, parameters.get(name))).map(
    (text) => `${variable} ${text}`,
  );
  if (mode !== null && !MODES.includes(mode)) {
    problems.push(`${variable} must have an sslmode of ${MODES.join(', ')}, found "${mode}"`);
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return url.replace(/([?&]sslmode=)require(?=&|$)/, '$1verify-full');
}

function findCertificateFileProblems(name: string, path: string | null): readonly string[] {
  if (path === null) return [];
  try {
    if (PEM.test(readFileSync(path, 'utf8'))) return [];
    return [`names the file ${path} (${name}), which must be in PEM, with a line -----BEGIN …-----`];
  } catch {
    return [`names the file ${path} (${name}), which cannot be read`];
  }
}

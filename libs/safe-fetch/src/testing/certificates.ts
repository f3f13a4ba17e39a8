import { isIP } from 'node:net';
import { generate } from 'selfsigned';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/**
 * Creates a self-signed certificate for exactly these names and IP addresses. A client trusts the certificate only if
 * the client's `certificateAuthorities` contain it.
 */
export async function createCertificate(...subjects: readonly string[]): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'for a test' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: subjects.map(createAltName) }],
  });
  return { key, cert };
}

const createAltName = (subject: string): { type: 2; value: string } | { type: 7; ip: string } =>
  isIP(subject) === 0 ? { type: 2, value: subject } : { type: 7, ip: subject };

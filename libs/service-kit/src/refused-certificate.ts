/** Error codes for a refused server certificate: those of OpenSSL, and Node's own for a certificate with other names. */
const REFUSED =
  /^(ERR_TLS_CERT_ALTNAME_INVALID|(DEPTH_ZERO_)?SELF_SIGNED_CERT.*|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF).*|CERT_[A-Z_]+)$/;

const EXPECTED =
  'Expected a certificate that names the host of the address, and is signed by an authority that is known: a public one, one of ' +
  'the file in NODE_EXTRA_CA_CERTS, or, of a PostgreSQL, of the file that its address names with sslrootcert.';

/** Returns what was expected of the certificate whose refusal caused an error; undefined for another cause. */
export function expectedCertificate(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && REFUSED.test(String(error.code))) return EXPECTED;
  return expectedCertificate(error.cause);
}

const SAFE_PROTOCOLS = ['http:', 'https:', 'mailto:'];

/**
 * Returns an untrusted address if its scheme is safe for a link: `http`, `https` or `mailto`. Returns undefined for
 * other addresses, such as relative addresses and `javascript:`.
 */
export function findSafeAddress(address: string): string | undefined {
  const url = URL.parse(address);
  return url !== null && SAFE_PROTOCOLS.includes(url.protocol) ? url.href : undefined;
}

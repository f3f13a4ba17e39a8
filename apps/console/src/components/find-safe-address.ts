const SAFE_PROTOCOLS = ['http:', 'https:', 'mailto:'];

/**
 * Returns an untrusted address if a link may open it: `http`, `https` or `mailto`. Returns undefined for other
 * addresses, such as relative ones and `javascript:`.
 */
export function findSafeAddress(address: string): string | undefined {
  const url = URL.parse(address);
  return url !== null && SAFE_PROTOCOLS.includes(url.protocol) ? url.href : undefined;
}

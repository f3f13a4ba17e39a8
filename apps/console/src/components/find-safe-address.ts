const SAFE_PROTOCOLS = ['http:', 'https:', 'mailto:'];

/** Returns an untrusted address if a link may lead to it. Relative addresses and scripts are refused. */
export function findSafeAddress(address: string): string | undefined {
  const url = URL.parse(address);
  return url !== null && SAFE_PROTOCOLS.includes(url.protocol) ? url.href : undefined;
}

/** Matches the text of libs/safe-fetch about a host name without an address. */
const UNKNOWN_HOST =
  /'([^']+)' to have an address, found (?:none|that the DNS query failed \((?:ENOTFOUND|ENODATA)\))/i;

/** Returns the host name in the English reason of a failure if no server has this name. Otherwise returns undefined. */
export function findUnknownHost(message: string): string | undefined {
  return UNKNOWN_HOST.exec(message)?.[1];
}

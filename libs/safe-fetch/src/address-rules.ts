import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/**
 * Explains why a rule rejects an address, as a noun phrase such as "a loopback address". Undefined: the rule accepts
 * the address.
 */
export type AddressObjection = string | undefined;

/** Checks an IP address, given as text. Returns undefined for an accepted address. */
export type AddressRule = (address: string) => AddressObjection;

export interface AddressRuleSettings {
  /** True: the rule accepts 127.0.0.0/8 and ::1. For tests and local development only. */
  readonly allowLoopback?: boolean;
  /**
   * Lists public ranges that the rule rejects, such as the range of this machine's public addresses: `203.0.114.0/24`.
   */
  readonly blockedRanges?: readonly string[];
}

const WRAPPED = 'an IPv4 address embedded in IPv6';
const PRIVATE = 'an address of a private network';

const OBJECTIONS: Readonly<Record<string, string>> = {
  unspecified: 'an unspecified address',
  loopback: 'a loopback address',
  private: PRIVATE,
  uniqueLocal: PRIVATE,
  deprecatedSiteLocal: PRIVATE,
  linkLocal: 'a link-local address',
  carrierGradeNat: 'a carrier-grade NAT address',
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
  ipv4Mapped: WRAPPED,
  rfc6145: WRAPPED,
  rfc6052: WRAPPED,
  '6to4': WRAPPED,
  teredo: WRAPPED,
};

/**
 * Address of the Azure platform. The address is in a public range, but connects a virtual machine to services of its
 * host.
 */
const AZURE_PLATFORM = '168.63.129.16';

/** Range of the public IPv6 addresses. All other addresses are special or unassigned (RFC 4291 section 2.4). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Creates the rule that applies to all connections of a client. The rule accepts only addresses of the public internet,
 * with the exceptions in `settings`.
 */
export function createAddressRule(settings: AddressRuleSettings): AddressRule {
  const refused = (settings.blockedRanges ?? []).map(parseAddressRange);
  return (text) => {
    if (isIP(text) === 0) return 'not an IP address';
    if (text.includes('%')) return 'an address with a zone';
    const address = ipaddr.parse(text);
    if (settings.allowLoopback === true && address.range() === 'loopback') return undefined;
    if (refused.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))) {
      return 'an address that the operator blocks';
    }
    return findAddressObjection(address);
  };
}

/** Lists the kinds of special ranges in which servers of the operator can be. */
const OPERATOR_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/** Lists the metadata services of clouds (Azure, AWS over IPv6, Alibaba) whose addresses are not link-local. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([AZURE_PLATFORM, 'fd00:ec2::254', '100.100.100.200']);

/**
 * Checks the address of a server that the operator configures. Accepts public addresses, private networks and this
 * machine. Rejects metadata services of clouds, and addresses that belong to no single server, such as multicast
 * addresses.
 */
export const findServerAddressObjection: AddressRule = (text) => {
  if (isIP(text) === 0) return 'not an IP address';
  if (text.includes('%')) return 'an address with a zone';
  const address = ipaddr.parse(text);
  if (METADATA_ADDRESSES.has(address.toString())) return 'a cloud metadata address';
  return OPERATOR_RANGES.has(address.range()) ? undefined : findAddressObjection(address);
};

function findAddressObjection(address: Address): AddressObjection {
  if (address.toString() === AZURE_PLATFORM) return 'a cloud metadata address';
  const range = address.range();
  if (range !== 'unicast') return OBJECTIONS[range] ?? 'a reserved address';
  if (address instanceof ipaddr.IPv6) return findUnicastIpv6Objection(address);
  return undefined;
}

// Checks further ranges, because ipaddr.js also classifies IPv4-compatible and unassigned IPv6 addresses as unicast.
function findUnicastIpv6Objection(address: ipaddr.IPv6): AddressObjection {
  if (address.parts.slice(0, 6).every((part) => part === 0)) return WRAPPED;
  if (!address.match(GLOBAL_UNICAST)) return 'a reserved address';
  return isIsatapAddress(address) ? WRAPPED : undefined;
}

/**
 * Returns true for an ISATAP address: its interface identifier is 00-00-5E-FE or 02-00-5E-FE, followed by an IPv4
 * address (RFC 5214 section 6.1).
 */
function isIsatapAddress({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x0200) && parts[5] === 0x5efe;
}

function parseAddressRange(text: string): Range {
  if (!ipaddr.isValidCIDR(text)) {
    throw new RangeError(`blockedRanges: expected ranges such as 203.0.114.0/24 or 2a00:1::/32, found '${text}'`);
  }
  return ipaddr.parseCIDR(text);
}

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** What stands against fetching from an address, as the end of the sentence "it is …"; undefined when it is public. */
export type AddressObjection = string | undefined;

/** Judges one IP address in its text form. */
export type AddressRule = (address: string) => AddressObjection;

export interface AddressRuleSettings {
  /** Lets 127.0.0.0/8 and ::1 through. For tests and local development only. */
  readonly allowLoopback?: boolean;
  /** Ranges (`203.0.114.0/24`) that are public to the world but not to be reached from here, such as the machine's own addresses. */
  readonly alsoRefuse?: readonly string[];
}

const WRAPPED = 'an IPv4 address wrapped in IPv6';
const PRIVATE = 'an address of a private network';

const OBJECTIONS: Readonly<Record<string, string>> = {
  unspecified: 'an address that stands for this machine',
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

/** Azure's platform address: public by number, answered by the host under every virtual machine. */
const AZURE_PLATFORM = '168.63.129.16';

/** The only block of IPv6 that IANA hands out; all else is special, or not assigned at all (RFC 4291 section 2.4). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = ipaddr.IPv6.parseCIDR('2000::/3');

/** The rule that every connection is held to: an address passes when the public internet can reach it, and nothing else. */
export function addressRule(settings: AddressRuleSettings): AddressRule {
  const refused = (settings.alsoRefuse ?? []).map(parseRange);
  return (text) => {
    if (isIP(text) === 0) return 'not an IP address';
    if (text.includes('%')) return 'an address with a zone';
    const address = ipaddr.parse(text);
    if (settings.allowLoopback === true && address.range() === 'loopback') return undefined;
    if (refused.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))) {
      return 'an address that the operator has closed';
    }
    return objection(address);
  };
}

function objection(address: Address): AddressObjection {
  if (address.toString() === AZURE_PLATFORM) return 'a cloud metadata address';
  const range = address.range();
  if (range !== 'unicast') return OBJECTIONS[range] ?? 'a reserved address';
  if (address instanceof ipaddr.IPv6) return objectionToUnicast(address);
  return undefined;
}

// ipaddr.js calls an IPv6 address unicast when no table names it; IPv4-compatible and unassigned ones are in no table.
function objectionToUnicast(address: ipaddr.IPv6): AddressObjection {
  if (address.parts.slice(0, 6).every((part) => part === 0)) return WRAPPED;
  if (!address.match(GLOBAL_UNICAST)) return 'a reserved address';
  return isIsatap(address) ? WRAPPED : undefined;
}

/** RFC 5214 section 6.1: the interface identifier is 00-00-5E-FE or 02-00-5E-FE, then an IPv4 address. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x0200) && parts[5] === 0x5efe;
}

function parseRange(text: string): Range {
  if (!ipaddr.isValidCIDR(text)) {
    throw new RangeError(`alsoRefuse: expected ranges such as 203.0.114.0/24 or 2a00:1::/32, found '${text}'`);
  }
  return ipaddr.parseCIDR(text);
}

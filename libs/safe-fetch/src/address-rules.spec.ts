import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { createAddressRule, findServerAddressObjection } from './address-rules.js';
import { parseUrl } from './url-rules.js';

const findObjection = createAddressRule({});

/** Lists the IPv4 and IPv6 ranges of the IANA registries of special-purpose addresses and of multicast addresses. */
const REGISTERED = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24
  192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4
  240.0.0.0/4 255.255.255.255/32
  ::1/128 ::/128 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:1::1/128
  2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28 2001:db8::/32
  2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 ff00::/8
`
  .trim()
  .split(/\s+/);

const JUST_OUTSIDE = `
  1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0
  172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.31.195.255 192.31.197.0 192.88.98.255 192.88.100.0
  192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
  168.63.129.15 168.63.129.17
  2000:: 2000::1 2001:200::1 2001:db7:ffff:ffff:ffff:ffff:ffff:ffff 2001:db9:: 2001:4860:4860::8888 2003::1 2620:4f:7fff::1
  2620:4f:8001:: 2a00:1450:4001::1 3ffe:ffff::1 3fff:1000:: 2a00:1450:1:1:0:5eff:a00:1
`
  .trim()
  .split(/\s+/);

const findLastAddress = (range: string): string => {
  const [base, bits] = ipaddr.parseCIDR(range);
  const bytes = base
    .toByteArray()
    .map((byte, position) => byte | (0xff >> Math.min(8, Math.max(0, bits - 8 * position))));
  return ipaddr.fromByteArray(bytes).toString();
};

describe('createAddressRule', () => {
  it.each(REGISTERED)('the address rule rejects the first and the last address of %s', (range) => {
    expect(findObjection(range.split('/')[0] ?? '')).toBeTypeOf('string');
    expect(findObjection(findLastAddress(range))).toBeTypeOf('string');
  });

  it.each(JUST_OUTSIDE)('the address rule accepts %s, which is public', (address) => {
    expect(findObjection(address)).toBeUndefined();
  });

  it.each([
    '',
    'shop.example',
    '10.1',
    '010.0.0.1',
    '0x7f.0.0.1',
    '::1%lo',
    'fe80::1%eth0',
    '2a00::1%1',
    '[::1]',
    '1.2.3.4 ',
  ])('the address rule rejects %j, which is not a plain IP address', (text) => {
    expect(findObjection(text)).toBeTypeOf('string');
  });

  it('the address rule with allowLoopback accepts loopback addresses, but no other special address', () => {
    const local = createAddressRule({ allowLoopback: true });
    expect(['127.0.0.1', '127.8.8.8', '::1', '93.184.216.34'].map(local)).toEqual(Array(4).fill(undefined));
    for (const address of ['10.0.0.1', '0.0.0.0', '::', '::ffff:127.0.0.1', '::7f00:1', '169.254.169.254']) {
      expect(local(address)).toBeTypeOf('string');
    }
  });

  it('the address rule rejects the ranges that the operator blocks', () => {
    const rule = createAddressRule({ blockedRanges: ['93.184.216.0/24', '2a00:1450::/32'] });
    expect(rule('93.184.216.34')).toBe('an address that the operator blocks');
    expect(rule('2a00:1450:4001::1')).toBe('an address that the operator blocks');
    expect([rule('93.184.217.1'), rule('2a00:1451::1')]).toEqual([undefined, undefined]);
  });

  it('createAddressRule rejects a blocked range that is not a valid address range', () => {
    expect(() => createAddressRule({ blockedRanges: ['93.184.216.34'] })).toThrow(
      "blockedRanges: expected ranges such as 203.0.114.0/24 or 2a00:1::/32, found '93.184.216.34'",
    );
  });
});

const RANGES_V4 = REGISTERED.filter((range) => !range.includes(':')).map((range) => {
  const [base = '', bits = ''] = range.split('/');
  return [convertIpv4ToNumber(base), 32 - Number(bits)] as const;
});

function convertIpv4ToNumber(ipv4: string): number {
  return ipv4.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

const formatIpv4 = (number: number): string =>
  [24, 16, 8, 0].map((shift) => String((number >>> shift) & 0xff)).join('.');

const isSpecialAddress = (number: number): boolean =>
  number === convertIpv4ToNumber('168.63.129.16') ||
  RANGES_V4.some(([base, freeBits]) => Math.floor(number / 2 ** freeBits) === Math.floor(base / 2 ** freeBits));

/** Generates IPv4 addresses. Half of them are in special ranges, which random numbers rarely hit. */
const ipv4 = fc.oneof(
  fc.nat({ max: 0xffffffff }),
  fc
    .tuple(fc.constantFrom(...RANGES_V4), fc.nat({ max: 0xffffffff }))
    .map(([[base, freeBits], offset]) => base + (offset % 2 ** freeBits)),
);

const isAcceptedUrl = (url: string): boolean => {
  try {
    parseUrl(url, findObjection);
    return true;
  } catch {
    return false;
  }
};

describe('the address rules for IPv4', () => {
  it('the address rule rejects exactly the IPv4 addresses in the special ranges of the IANA registries', () => {
    fc.assert(
      fc.property(ipv4, (number) => {
        expect(findObjection(formatIpv4(number)) !== undefined).toBe(isSpecialAddress(number));
      }),
      { numRuns: 5_000 },
    );
  });

  it('parseUrl accepts or rejects an IPv4 address regardless of its spelling in the URL', () => {
    fc.assert(
      fc.property(ipv4, (number) => {
        const parts = formatIpv4(number).split('.').map(Number);
        const spellings = [
          String(number),
          `0x${number.toString(16)}`,
          `0${number.toString(8)}`,
          parts.map((part) => `0x${part.toString(16)}`).join('.'),
          parts.map((part) => `00${part.toString(8)}`).join('.'),
          `${parts[0]}.${number % 2 ** 24}`,
          `${parts[0]}.${parts[1]}.${number % 2 ** 16}`,
          `${formatIpv4(number)}.`,
          `%${Buffer.from(formatIpv4(number))
            .toString('hex')
            .replace(/..(?=.)/g, '$&%')}`,
        ];
        const verdicts = spellings.map((host) => isAcceptedUrl(`http://${host}/`));
        expect(verdicts).toEqual(spellings.map(() => !isSpecialAddress(number)));
      }),
    );
  });

  it('the address rule rejects an IPv4 address embedded in IPv6, even if the IPv4 address is public', () => {
    fc.assert(
      fc.property(ipv4, (number) => {
        const v4 = formatIpv4(number);
        const hex = `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`;
        const wrappings = [
          `::ffff:${v4}`,
          `::${v4}`,
          `::ffff:0:${v4}`,
          `64:ff9b::${v4}`,
          `2002:${hex}::1`,
          `2a00::5efe:${v4}`,
        ];
        for (const wrapped of wrappings) {
          expect(findObjection(wrapped)).toBeTypeOf('string');
          expect(isAcceptedUrl(`http://[${wrapped}]/`)).toBe(false);
        }
      }),
    );
  });
});

describe('the address rules for IPv6', () => {
  it('the address rule rejects an IPv6 address outside 2000::/3', () => {
    const outside = fc
      .tuple(
        fc.constantFrom(0, 1, 4, 8, 0xa, 0xc, 0xe, 0xf),
        fc.array(fc.nat({ max: 0xffff }), { minLength: 8, maxLength: 8 }),
      )
      .map(([top, parts]) =>
        [(top << 12) | ((parts[0] ?? 0) & 0xfff), ...parts.slice(1)].map((part) => part.toString(16)).join(':'),
      );
    fc.assert(
      fc.property(outside, (address) => {
        expect(findObjection(address)).toBeTypeOf('string');
      }),
    );
  });
});

describe('findServerAddressObjection', () => {
  it.each(['127.0.0.1', '::1', '10.0.0.7', '172.16.0.1', '192.168.1.2', '100.64.0.1', 'fd12::7', '93.184.216.34'])(
    'findServerAddressObjection accepts %s as the address of a server that the operator configures',
    (address) => {
      expect(findServerAddressObjection(address)).toBeUndefined();
    },
  );

  it.each([
    ['169.254.169.254', 'a link-local address'],
    ['fe80::1', 'a link-local address'],
    ['fd00:ec2::254', 'a cloud metadata address'],
    ['168.63.129.16', 'a cloud metadata address'],
    ['100.100.100.200', 'a cloud metadata address'],
    ['0.0.0.0', 'an unspecified address'],
    ['224.0.0.1', 'a multicast address'],
    ['::ffff:169.254.169.254', 'an IPv4 address embedded in IPv6'],
    ['fe80::1%eth0', 'an address with a zone'],
    ['example.com', 'not an IP address'],
  ])('findServerAddressObjection rejects %s, because it is %s', (address, objection) => {
    expect(findServerAddressObjection(address)).toBe(objection);
  });
});

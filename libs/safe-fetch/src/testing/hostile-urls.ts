import type { FailureCode, RefusalCode } from '../fetch-error.js';

/** Describes a URL that a client must reject without a connection, and the code of the error. */
export type HostileUrl = readonly [url: string, code: RefusalCode | FailureCode];

const expectCode = (code: RefusalCode, urls: readonly string[]): readonly HostileUrl[] =>
  urls.map((url) => [url, code]);

const splitHosts = (text: string): readonly string[] =>
  text
    .trim()
    .split(/\s+/)
    .map((host) => `http://${host}/`);

/** Lists different spellings of loopback addresses, and host names that mean the loopback address. */
const LOOPBACK = [
  ...splitHosts(`
    127.0.0.1:PORT 127.1:PORT 127.0.1:PORT 127.0.0.1.:PORT 127.255.255.254:PORT 127.0.0.2:PORT
    2130706433:PORT 0x7f000001:PORT 0X7F000001:PORT 017700000001:PORT 0x7f.0.0.1:PORT 0177.0.0.01:PORT 0x7f.1:PORT 00177.1:PORT
    %31%32%37.0.0.1:PORT 127%2e0%2e0%2e1:PORT １２７．０．０．１:PORT ①②⑦.⓪.⓪.①:PORT 127。0。0。1:PORT 127｡0｡0｡1:PORT
    [::1]:PORT [0:0:0:0:0:0:0:1]:PORT [0000:0000:0000:0000:0000:0000:0000:0001]:PORT [::0.0.0.1]:PORT
    [::ffff:127.0.0.1]:PORT [::ffff:7f00:1]:PORT [::FFFF:7F00:0001]:PORT [0:0:0:0:0:ffff:127.0.0.1]:PORT
    [::127.0.0.1]:PORT [::7f00:1]:PORT [::ffff:0:127.0.0.1]:PORT [64:ff9b::127.0.0.1]:PORT [2002:7f00:1::]:PORT
    localhost:PORT LOCALHOST:PORT LocalHost:PORT localhost.:PORT loc%61lhost:PORT ⓛⓞⓒⓐⓛhost:PORT localhoſt:PORT
    app.localhost:PORT a.b.localhost:PORT app.localhost.:PORT localhost.localdomain:PORT
  `),
  'http:127.0.0.1:PORT/',
  'http:/127.0.0.1:PORT/',
  'http:///127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT\\',
  '  http://127.0.0.1:PORT/  ',
  'ht\ttp://127.0.0.1:PORT/',
  'HTTPS://127.0.0.1:PORT/',
  'http://127.0.0.1:PORT\\@shop.example/',
  'http://127.0.0.1:PORT?@shop.example/',
  'http://127.0.0.1:PORT#@shop.example/',
];

const SPECIAL_IPV4 = splitHosts(`
  0.0.0.0 0 0x0 00 0.0.0.0:8080 0.1.2.3 0.255.255.255
  10.0.0.0 10.255.255.255 10.1 0xa.0.0.1 012.0.0.1 167772161
  172.16.0.1 172.31.255.255 172.16.1 0xac.0x10.0x0.0x1 192.168.0.1 192.168.255.255 192.168.257 3232235521 0300.0250.1.1
  100.64.0.1 100.127.255.255 100.100.100.200
  169.254.0.1 169.254.169.254 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.43518 169.254.170.2 169.254.169.253
  192.0.0.1 192.0.0.170 192.0.0.192 192.0.2.1 198.51.100.1 203.0.113.255 198.18.0.1 198.19.255.255
  192.88.99.1 192.31.196.1 192.52.193.1 192.175.48.1
  224.0.0.1 239.255.255.250 240.0.0.1 254.255.255.255 255.255.255.255 0xffffffff 4294967295
  168.63.129.16 0xa83f8110
`);

const SPECIAL_IPV6 = splitHosts(`
  [::] [0::0] [::ffff:10.0.0.1] [::ffff:192.168.0.1] [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::ffff:93.184.216.34]
  [::10.0.0.1] [::169.254.169.254] [::93.184.216.34] [::2] [::ffff:0:10.0.0.1] [::ffff:0:0]
  [64:ff9b::10.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b::93.184.216.34] [64:ff9b:1::10.0.0.1] [64:ff9b:1:ffff::1]
  [2002:a00:1::1] [2002:a9fe:a9fe::] [2002:5db8:d822::1]
  [2001::1] [2001:0:5ef5:79fb:0:59d:a247:2722] [2001:0:a00:1:8000:63bf:3fff:fdd2]
  [fc00::1] [fdff:ffff::1] [fd00:ec2::254] [fd20:ce::254] [fe80::1] [fe80::a9fe:a9fe] [febf::1] [fec0::1]
  [ff01::1] [ff02::1] [ff05::1:3] [ff0e::1]
  [2001:db8::1] [3fff::1] [3fff:fff::1] [2001:2::1] [2001:10::1] [2001:20::1] [2001:30::1] [2001:3::1] [2001:4:112::1]
  [2001:1::1] [2001:1::2] [2001:1::3] [2001:1ff::1] [2620:4f:8000::1] [100::1] [100:0:0:1::1] [5f00::1]
  [1::1] [200::1] [400::1] [1fff::1] [4000::1] [8000::1] [e000::1] [fe00::1]
  [2a00:1450:1:1:0:5efe:10.0.0.1] [2a00:1450:1:1:200:5efe:a9fe:a9fe]
`);

const LOCAL_NAMES = splitHosts(`
  redis kubernetes intranet com. metadata instance-data metadata.google.internal instance-data.ec2.internal
  host.docker.internal gateway.docker.internal vault.service.internal
  kubernetes.default.svc.cluster.local printer.local nas.home router.lan wiki.corp files.private www.intranet
  modem.home.arpa example.onion peer.alt host.invalid db.localdomain xn-- ｒｅｄｉｓ metadata.google.internal.
`);

const SCHEMES = `
  file:///etc/passwd file://localhost/etc/passwd FILE:/etc/passwd ftp://shop.example/ gopher://127.0.0.1:6379/_INFO data:text/plain,hello
  ws://shop.example/ wss://shop.example/ javascript:alert(1) blob:http://shop.example/1 ldap://shop.example/ dict://127.0.0.1:11211/stat
  tftp://shop.example/x sftp://shop.example/ ssh://shop.example/ jar:http://shop.example!/ mailto:a@shop.example about:blank
  view-source:http://shop.example/ http+unix://%2Fvar%2Frun%2Fdocker.sock/info unix:/var/run/docker.sock netdoc:///etc/passwd phar://x
`
  .trim()
  .split(/\s+/);

const CREDENTIALS = [
  'http://user@shop.example/',
  'http://user:password@shop.example/',
  'http://:password@shop.example/',
  'http://shop.example@10.0.0.1/',
  'http://shop.example:80@127.0.0.1:PORT/',
  'http://shop.example%20@127.0.0.1:PORT/',
  'https://a@b@127.0.0.1:PORT/',
];

const PORTS = [
  0, 1, 7, 19, 21, 22, 23, 25, 53, 79, 110, 143, 389, 465, 587, 636, 993, 2049, 5060, 6000, 6667, 10080,
].map((port) => `http://shop.example:${port}/`);

const NOT_URLS = [
  '',
  ' ',
  'shop.example',
  '/relative',
  '//127.0.0.1/',
  'http://',
  'http://?',
  'http://:80/',
  'http://shop example/',
  'http://shop.example:65536/',
  'http://shop.example:http/',
  'http://256.256.256.256/',
  'http://1.2.3.4.5/',
  'http://0x100000000/',
  'http://127.0.0.1.1/',
  'http://09.0.0.1/',
  'http://[::1/',
  'http://[::1]x/',
  'http://[fe80::1%25eth0]/',
  'http://[fe80::1%eth0]/',
  'http://[::1%25lo]/',
  'http://[127.0.0.1]/',
  'http://[::ffff:127.1]/',
  'http://127.0.0.1%00.shop.example/',
  'http://127.0.0.1%0d%0a.shop.example/',
  'http://shop..example/',
  'http://shop.example../',
  'http://.shop.example/',
  'http://%/',
  `http://${'a'.repeat(64)}.example/`,
  `http://${'a.'.repeat(130)}example/`,
  'http://shop$(id).example/',
];

/** Maps names to the unsafe addresses that the name server of an attacker returns for them. */
export const HOSTILE_NAMES: Readonly<Record<string, readonly string[]>> = {
  'private.example': ['10.0.0.1'],
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'wrapped.example': ['::ffff:127.0.0.1'],
  'compatible.example': ['::7f00:1'],
  'metadata.example': ['169.254.169.254'],
  'unique-local.example': ['fd00:ec2::254'],
  'nat64.example': ['64:ff9b::a00:1'],
  'zero.example': ['0.0.0.0'],
  'zone.example': ['fe80::1%eth0'],
  'garbage.example': ['shop.example'],
  'octal.example': ['0177.0.0.1'],
  'public-first.example': ['93.184.216.34', '10.0.0.1'],
  'private-first.example': ['192.168.1.1', '93.184.216.34'],
  'two-families.example': ['93.184.216.34', 'fd00::1'],
  'many.example': [...Array.from({ length: 40 }, (_, last) => `93.184.215.${last}`), '127.0.0.1'],
  'xn--bcher-kva.example': ['172.16.0.1'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
};

const NAMES = [...Object.keys(HOSTILE_NAMES), 'bücher.example', 'PRIVATE.example', 'private.example.'].map(
  (name) => `http://${name}:PORT/`,
);

/**
 * Lists more than 300 URLs that do not lead to the public internet. Tests replace `PORT` by the port of a server that
 * records connections.
 */
export const HOSTILE_URLS: readonly HostileUrl[] = [
  ...expectCode('address_not_public', [...LOOPBACK, ...SPECIAL_IPV4, ...SPECIAL_IPV6, ...LOCAL_NAMES, ...NAMES]),
  ...expectCode('scheme_not_allowed', SCHEMES),
  ...expectCode('credentials_in_url', CREDENTIALS),
  ...expectCode('port_not_allowed', PORTS),
  ...expectCode('invalid_url', NOT_URLS),
];

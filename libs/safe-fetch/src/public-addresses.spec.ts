import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitForValue } from './testing/wait-for-value.js';
import { createDnsResolver } from './public-addresses.js';

const A = 1;
const NAME_ERROR = 3;

const RECORDS: Readonly<Record<string, readonly string[]>> = {
  'shop.example': ['93.184.216.1', '93.184.216.2', '93.184.216.3', '2606::1', '2606::2'],
  'old.example': ['93.184.216.1'],
  'new.example': ['2606::1'],
  'empty.example': [],
};

let server: Socket;
let servers: readonly string[];
const asked: string[] = [];

beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (query, from) => {
    const answer = buildDnsResponse(query);
    if (answer !== undefined) server.send(answer, from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  servers = [`127.0.0.1:${server.address().port}`];
});

afterAll(() => {
  server.close();
});

/**
 * Builds the response of a name server to one question (RFC 1035 section 4). Returns undefined for `silent.example`, to
 * which the server does not respond.
 */
function buildDnsResponse(query: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length !== 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const name = labels.join('.').toLowerCase();
  asked.push(name);
  if (name === 'silent.example') return undefined;
  const wantsIpv4 = query.readUInt16BE(at + 1) === A;
  const records = RECORDS[name];
  const fitting = (records ?? []).filter((address) => isIPv4(address) === wantsIpv4);
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 | (records === undefined ? NAME_ERROR : 0), 2);
  header.writeUInt16BE(fitting.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([
    header,
    query.subarray(12, at + 5),
    ...fitting.map((address) => encodeRecord(address, wantsIpv4)),
  ]);
}

function encodeRecord(address: string, isIpv4: boolean): Buffer {
  const bytes = ipaddr.parse(address).toByteArray();
  return Buffer.from([0xc0, 12, 0, isIpv4 ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]);
}

const lookUp = (host: string, signal = new AbortController().signal): Promise<readonly string[]> =>
  createDnsResolver(servers)(host, signal);

describe('the DNS resolver', () => {
  it('the DNS resolver returns IPv4 and IPv6 addresses alternately', async () => {
    const addresses = await lookUp('shop.example');
    expect(addresses.map(isIPv4)).toEqual([true, false, true, false, true]);
    expect(new Set(addresses)).toEqual(new Set(RECORDS['shop.example']));
  });

  it('the DNS resolver succeeds if a name has only IPv4 or only IPv6 addresses', async () => {
    expect(await lookUp('old.example')).toEqual(['93.184.216.1']);
    expect(await lookUp('new.example')).toEqual(['2606::1']);
  });

  it('the DNS resolver fails if the name does not exist or has no address', async () => {
    await expect(lookUp('nowhere.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(lookUp('empty.example')).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it('the DNS resolver queries exactly the given name and ignores the hosts file', async () => {
    asked.length = 0;
    await expect(lookUp('localhost.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(new Set(asked)).toEqual(new Set(['localhost.example']));
  });

  it('the DNS resolver rejects when the signal is aborted', async () => {
    const controller = new AbortController();
    asked.length = 0;
    const failure = lookUp('silent.example', controller.signal);
    const outcome = expect(failure).rejects.toMatchObject({ code: 'ECANCELLED' });
    await waitForValue(() => asked.length >= 2, true);
    controller.abort();
    await outcome;
  });
});

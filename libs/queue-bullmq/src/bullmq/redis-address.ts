/** Where a Redis is, and in which of its three ways it is run. */
export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string }
  | (Shared & {
      readonly kind: 'sentinel';
      readonly nodes: readonly RedisNode[];
      readonly master: string;
      readonly db: number;
    })
  | (Shared & { readonly kind: 'cluster'; readonly nodes: readonly RedisNode[] });

interface Shared {
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

const MANY = /^(rediss?)\+(sentinel|cluster):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/@]+)(?:\/([^/]*))?(?:\/(\d+))?$/;
const EXPECTED =
  'redis+sentinel://user:password@host:26379,host:26379/master or redis+cluster://host:6379,host:6379, or the same with rediss';

/**
 * @param url `redis://` or `rediss://` (with TLS), and both with `+sentinel` or `+cluster`, where hosts stand with commas between
 * @throws RangeError when it is none of these; the message holds no password
 */
export function redisAddress(url: string): RedisAddress {
  if (/^rediss?:/.test(url)) return { kind: 'server', url };
  const [, protocol, kind, username, password, hosts = '', first, db] = MANY.exec(url) ?? [];
  const nodes = hosts.split(',').map((host) => nodeOf(host, kind === 'sentinel' ? 26_379 : 6_379));
  if (kind === undefined || nodes.some((node) => node === undefined)) {
    throw new RangeError(`an address of several Redis servers is ${EXPECTED}`);
  }
  const found = nodes.filter((node) => node !== undefined);
  const shared = { tls: protocol === 'rediss', username: decoded(username), password: decoded(password) };
  if (kind === 'cluster') return { kind, nodes: found, ...shared };
  if (first === undefined || first === '') throw new RangeError(`the master of the sentinels is missing: ${EXPECTED}`);
  return { kind: 'sentinel', nodes: found, master: first, db: Number(db ?? 0), ...shared };
}

function nodeOf(host: string, defaultPort: number): RedisNode | undefined {
  const [, name, port] = /^([A-Za-z0-9._-]+|\[[0-9a-f:]+\])(?::(\d+))?$/.exec(host) ?? [];
  return name === undefined ? undefined : { host: name.replace(/^\[|\]$/g, ''), port: Number(port ?? defaultPort) };
}

function decoded(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : decodeURIComponent(text);
}

/** Describes the address of a Redis deployment: a single server, sentinels or a cluster. */
export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string }
  | (Credentials & {
      readonly kind: 'sentinel';
      readonly nodes: readonly RedisNode[];
      readonly master: string;
      readonly db: number;
    })
  | (Credentials & { readonly kind: 'cluster'; readonly nodes: readonly RedisNode[] });

interface Credentials {
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

const DEPLOYMENT_ADDRESS =
  /^(rediss?)\+(sentinel|cluster):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/@]+)(?:\/([^/]*))?(?:\/(\d+))?$/;
const EXPECTED_FORM =
  'redis+sentinel://user:password@host:26379,host:26379/master or redis+cluster://host:6379,host:6379, or the same with rediss';

/**
 * Parses the address of a Redis deployment.
 *
 * @param url starts with `redis://` or `rediss://` (with TLS) for a single server. For sentinels or a cluster, the
 * scheme has the suffix `+sentinel` or `+cluster`, and commas separate the hosts.
 * @throws RangeError if the address has another form; the message contains no password
 */
export function parseRedisAddress(url: string): RedisAddress {
  if (/^rediss?:/.test(url)) return { kind: 'server', url };
  const [, protocol, kind, username, password, hosts = '', first, db] = DEPLOYMENT_ADDRESS.exec(url) ?? [];
  const nodes = hosts.split(',').map((host) => parseRedisNode(host, kind === 'sentinel' ? 26_379 : 6_379));
  if (kind === undefined || nodes.some((node) => node === undefined)) {
    throw new RangeError(`expected the address of a Redis deployment in the form ${EXPECTED_FORM}`);
  }
  const found = nodes.filter((node) => node !== undefined);
  const shared = {
    tls: protocol === 'rediss',
    username: decodeCredential(username),
    password: decodeCredential(password),
  };
  if (kind === 'cluster') return { kind, nodes: found, ...shared };
  if (first === undefined || first === '')
    throw new RangeError(`expected the name of the master after the sentinels, in the form ${EXPECTED_FORM}`);
  return { kind: 'sentinel', nodes: found, master: first, db: Number(db ?? 0), ...shared };
}

function parseRedisNode(host: string, defaultPort: number): RedisNode | undefined {
  const [, name, port] = /^([A-Za-z0-9._-]+|\[[0-9a-f:]+\])(?::(\d+))?$/.exec(host) ?? [];
  return name === undefined ? undefined : { host: name.replace(/^\[|\]$/g, ''), port: Number(port ?? defaultPort) };
}

function decodeCredential(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new RangeError('expected valid percent-encoding in the Redis user name and password, such as %40 for @', {
      cause,
    });
  }
}

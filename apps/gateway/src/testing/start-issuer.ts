import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** The audience of the tokens of a test issuer. */
export const TEST_AUDIENCE = 'https://quarry.example.com/mcp';

/** A private key of an issuer, and the public key in the form in which the issuer publishes it. */
export interface IssuerKey {
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly published: JWK;
}

/** An OpenID Connect issuer for tests, with an HTTP server for its metadata and its public keys. */
export interface TestIssuer {
  readonly url: string;
  /** The keys that the issuer publishes. */
  keys: readonly IssuerKey[];
  /** The value of `issuer` in the metadata. */
  name: string;
  /** The paths of all requests that the issuer has received, oldest first. */
  readonly requests: string[];
  /** If set, this function responds to all requests in place of the issuer. */
  instead: ((response: ServerResponse) => void) | undefined;
  close(): void;
}

/** Creates a key pair for a signature algorithm. */
export async function createIssuerKey(alg: string, kid: string): Promise<IssuerKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  return { alg, privateKey, published: { ...(await exportJWK(publicKey)), kid, alg } };
}

/** Creates a token that is signed with a key of an issuer, for the organization `org`. */
export async function signToken(
  issuer: string,
  { alg, privateKey, published }: IssuerKey,
  org: string,
): Promise<string> {
  return new SignJWT({ org, scope: 'query' })
    .setProtectedHeader({ alg, ...(published.kid !== undefined && { kid: published.kid }) })
    .setSubject('ada')
    .setIssuer(issuer)
    .setAudience(TEST_AUDIENCE)
    .setExpirationTime('1h')
    .sign(privateKey);
}

/** Starts an issuer whose URL has a path, as the URLs of Keycloak realms have. */
export async function startIssuer(): Promise<TestIssuer> {
  const server = createServer(({ url = '' }, response) => {
    issuer.requests.push(url);
    if (issuer.instead !== undefined) {
      issuer.instead(response);
      return;
    }
    const bodies: Readonly<Record<string, object>> = {
      '/realms/quarry/.well-known/openid-configuration': { issuer: issuer.name, jwks_uri: `${issuer.url}/keys` },
      '/realms/quarry/keys': { keys: issuer.keys.map(({ published }) => published) },
    };
    const body = bodies[url];
    response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listens on TCP
  const url = `http://127.0.0.1:${port}/realms/quarry`;
  const issuer: TestIssuer = {
    ...{ url, keys: [], name: url, requests: [], instead: undefined },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return issuer;
}

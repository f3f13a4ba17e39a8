import {
  type ClaimTokens,
  IndexedVersionsResponse,
  OpenedRun,
  RecordDocumentsResponse,
  RUN_GATEWAY_PATHS,
  type RunGateway,
  RunStateResponse,
  RunStatesResponse,
  TOKEN_CLAIMS_PATH,
  TokenGrant,
  TryLater,
} from '@quarry/contracts';
import { getTraceHeaders, parseEnvironment } from '@quarry/service-kit';
import { IsNotEmpty, IsString, IsUrl, parse, type Shape } from '@quarry/validation';

/** Holds the address of a gateway, and the token that the services share. */
export interface GatewayAddress {
  /** Base URL of the gateway, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly token: string;
}

/** Contains all requests of a worker to a gateway. */
export interface GatewayClient {
  readonly runs: RunGateway;
  readonly claimTokens: ClaimTokens;
}

const TIMEOUT_MS = 30_000;
const RETRY_AFTER_MS = 5_000;
/** Statuses of a gateway, or of a proxy in front of it, that is starting, stopping or without its database. */
const UNAVAILABLE = new Set([502, 503, 504]);

/** Creates a client of the internal routes of the gateway. Its methods throw `TryLater` while the gateway is unavailable. */
export function createGatewayClient(address: GatewayAddress): GatewayClient {
  return {
    claimTokens: (claim) => postJson(address, TOKEN_CLAIMS_PATH, claim, TokenGrant),
    runs: {
      runStates: async (runs) => {
        const { states } = await postJson(address, RUN_GATEWAY_PATHS.runStates, { runs }, RunStatesResponse);
        return states;
      },
      openRun: (run) => postJson(address, RUN_GATEWAY_PATHS.openRun, run, OpenedRun),
      indexedVersions: async (request) => {
        const { versions } = await postJson(
          address,
          RUN_GATEWAY_PATHS.indexedVersions,
          request,
          IndexedVersionsResponse,
        );
        return versions;
      },
      enqueueDocument: async (job) => {
        const { state } = await postJson(address, RUN_GATEWAY_PATHS.enqueueDocument, job, RunStateResponse);
        return state;
      },
      recordDocuments: (request) =>
        postJson(address, RUN_GATEWAY_PATHS.recordDocuments, request, RecordDocumentsResponse),
    },
  };
}

async function postJson<Response extends object>(
  { url, token }: GatewayAddress,
  path: string,
  body: object,
  shape: Shape<Response>,
): Promise<Response> {
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...getTraceHeaders() },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  }).catch((error: unknown) => {
    throw new TryLater(RETRY_AFTER_MS, 'the gateway does not respond', { cause: error });
  });
  if (response.ok) return parse(shape, await response.json(), 'ignore');
  const text = (await response.text()).slice(0, 500);
  const found = `the gateway responded with ${response.status} to ${path}: ${text}`;
  throw UNAVAILABLE.has(response.status) ? new TryLater(RETRY_AFTER_MS, found) : new Error(found);
}

class GatewayEnvironment {
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QUARRY_GATEWAY_URL: string;

  /** The secret that the services share. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_INTERNAL_TOKEN: string;
}

/** Reads the gateway's address from the environment. @throws ConfigurationError with all problems at once */
export function readGatewayAddress(environment: NodeJS.ProcessEnv): GatewayAddress {
  const { QUARRY_GATEWAY_URL: url, QUARRY_INTERNAL_TOKEN: token } = parseEnvironment(GatewayEnvironment, environment);
  return { url, token };
}

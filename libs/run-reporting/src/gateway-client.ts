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
  type DocumentOutcomeFound,
  type DocumentToIndex,
  type RunRef,
  SERVICE_REPORT_PATHS,
} from '@quarry/contracts';
import { readErrorText, readLimitedText } from '@quarry/http-responses';
import { getTraceHeaders, parseEnvironment, type StatusReporter } from '@quarry/service-kit';
import { IsNotEmpty, IsString, IsUrl, parse, type Shape } from '@quarry/validation';
import { RunNotWanted } from './run-watch.js';

/** Holds the address of a gateway, and the token that the services of an installation share. */
export interface GatewayAddress {
  /** Base URL of the gateway, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly token: string;
}

/** Sends the requests of a worker to a gateway. */
export interface GatewayClient {
  readonly runs: RunGateway;
  readonly claimTokens: ClaimTokens;
}

const TIMEOUT_MS = 30_000;
const RETRY_AFTER_MS = 5_000;
/**
 * Maximum size of a response of the gateway in bytes. The largest responses contain the checkpoint of a crawl, or the
 * versions of `MAX_RUN_BATCH` documents.
 */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 500;
/**
 * Response statuses that mean that the gateway is starting or stopping, or has no database. A proxy in front of the
 * gateway can send them, too.
 */
const UNAVAILABLE = new Set([502, 503, 504]);

/**
 * Creates a client of the internal routes of a gateway. Its methods throw `TryLater` while the gateway is unavailable.
 */
export function createGatewayClient(address: GatewayAddress): GatewayClient {
  return {
    claimTokens: (claim) => postJson(address, TOKEN_CLAIMS_PATH, claim, TokenGrant),
    runs: {
      readRunStates: async (runs) => {
        const { states } = await postJson(address, RUN_GATEWAY_PATHS.runStates, { runs }, RunStatesResponse);
        return states;
      },
      openRun: (run) => postJson(address, RUN_GATEWAY_PATHS.openRun, run, OpenedRun),
      readIndexedVersions: async (request) => {
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

/**
 * Sends a JSON body to a route of the gateway, and parses the response.
 *
 * @throws TryLater if the gateway is unavailable; Error for any other error status
 */
async function postJson<Response extends object>(
  address: GatewayAddress,
  path: string,
  body: object,
  shape: Shape<Response>,
): Promise<Response> {
  const response = await sendToGateway(address, path, body, TIMEOUT_MS).catch((error: unknown) => {
    throw new TryLater(RETRY_AFTER_MS, 'the gateway did not respond', { cause: error });
  });
  if (response.ok) {
    const json = await readBody(readLimitedText(response.body, MAX_RESPONSE_BYTES));
    return parse(shape, JSON.parse(json), 'ignore');
  }
  const text = await readBody(readErrorText(response.body, MAX_ERROR_BYTES));
  const found = `the gateway responded with ${response.status} to ${path}: ${text}`;
  throw UNAVAILABLE.has(response.status) ? new TryLater(RETRY_AFTER_MS, found) : new Error(found);
}

/**
 * Waits for the body of a response of the gateway.
 *
 * @throws TryLater if the connection ends before the body is complete
 */
async function readBody(reading: Promise<string>): Promise<string> {
  return reading.catch((error: unknown) => {
    // The response exceeds the maximum size. A retry would not help.
    if (error instanceof RangeError) throw error;
    throw new TryLater(RETRY_AFTER_MS, 'the gateway did not complete its response', { cause: error });
  });
}

/** Sends a JSON body with a POST request to a route of the gateway. Returns a response with any status. */
async function sendToGateway(
  { url, token }: GatewayAddress,
  path: string,
  body: object,
  timeoutMs: number,
): Promise<Response> {
  return fetch(new URL(path, url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...getTraceHeaders() },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
  });
}

class GatewayEnvironment {
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QUARRY_GATEWAY_URL: string;

  /** The secret that the services share. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_INTERNAL_TOKEN: string;
}

/**
 * Reads the address and the token of the gateway from the environment.
 *
 * @throws ConfigurationError with all problems at once
 */
export function readGatewayAddress(environment: NodeJS.ProcessEnv): GatewayAddress {
  const { QUARRY_GATEWAY_URL: url, QUARRY_INTERNAL_TOKEN: token } = parseEnvironment(GatewayEnvironment, environment);
  return { url, token };
}

/** Lists the documents that a run has found since the previous call of `recordFoundDocuments`. */
export interface FoundDocuments {
  readonly toIndex?: readonly DocumentToIndex[];
  readonly settled?: readonly DocumentOutcomeFound[];
  /**
   * The position in the source from which the run resumes after a restart. Absent: the last recorded checkpoint stays.
   */
  readonly checkpoint?: Readonly<Record<string, unknown>>;
}

/** Records the documents of one run in the gateway. */
export interface RunDocuments {
  /**
   * Resolves when the documents and the checkpoint are stored durably. Has no effect on documents that the run has
   * already recorded.
   *
   * @throws RunNotWanted if the run has ended; TryLater while the gateway is unavailable
   */
  recordFoundDocuments(found: FoundDocuments): Promise<RecordDocumentsResponse>;
}

export function createRunDocuments(
  gateway: Pick<RunGateway, 'recordDocuments'>,
  { datasourceId, runId }: RunRef,
  now: () => Date,
): RunDocuments {
  return {
    recordFoundDocuments: async ({ toIndex = [], settled = [], checkpoint }) => {
      const recorded = await gateway.recordDocuments({
        ...{ datasourceId, runId, at: now().toISOString(), toIndex, settled },
        ...(checkpoint && { checkpoint }),
      });
      if (recorded.state !== 'wanted') throw new RunNotWanted(recorded.state);
      return recorded;
    },
  };
}

const STATUS_TIMEOUT_MS = 5_000;

/**
 * Creates a client that reports the status of this process to a gateway. Its methods throw if the gateway rejects a
 * status or is unavailable.
 */
export function createStatusReporter(gateway: GatewayAddress): StatusReporter {
  return {
    sendStatus: (status) => postStatus(gateway, SERVICE_REPORT_PATHS.report, status),
    endInstance: (instance) => postStatus(gateway, SERVICE_REPORT_PATHS.end, { instance }),
  };
}

async function postStatus(gateway: GatewayAddress, path: string, body: object): Promise<void> {
  const response = await sendToGateway(gateway, path, body, STATUS_TIMEOUT_MS);
  await response.body?.cancel();
  if (!response.ok)
    throw new Error(`expected the gateway to accept a request to ${path}, found status ${response.status}`);
}

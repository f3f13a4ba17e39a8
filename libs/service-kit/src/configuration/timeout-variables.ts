import { IntegerFromText } from '@quarry/validation';
import { DEFAULT_TIMEOUTS, type RequestTimeouts } from './request-timeouts.js';
import { parseEnvironment } from './environment.js';

class Environment {
  @IntegerFromText({ min: 1, max: 600 })
  readonly QUARRY_HEADER_TIMEOUT_SECONDS: number = DEFAULT_TIMEOUTS.headersMs / 1_000;

  @IntegerFromText({ min: 1, max: 86_400 })
  readonly QUARRY_MAX_UPLOAD_SECONDS: number = DEFAULT_TIMEOUTS.bodyMs / 1_000;

  /** Minimum rate of a request body, in bytes per second. 0: no minimum. */
  @IntegerFromText({ min: 0, max: 1_048_576 })
  readonly QUARRY_MIN_UPLOAD_BYTES_PER_SECOND: number = DEFAULT_TIMEOUTS.minBodyBytesPerSecond;
}

/** Reads how long clients may take to send a request. @throws ConfigurationError */
export function readRequestTimeouts(environment: NodeJS.ProcessEnv): RequestTimeouts {
  const variables = parseEnvironment(Environment, environment);
  return {
    headersMs: variables.QUARRY_HEADER_TIMEOUT_SECONDS * 1_000,
    bodyMs: variables.QUARRY_MAX_UPLOAD_SECONDS * 1_000,
    minBodyBytesPerSecond: variables.QUARRY_MIN_UPLOAD_BYTES_PER_SECOND,
  };
}

/** Names the rule that a request or a response violates. Another attempt would fail, too. */
export type RefusalCode =
  | 'invalid_url'
  | 'scheme_not_allowed'
  | 'credentials_in_url'
  | 'port_not_allowed'
  | 'address_not_public'
  | 'header_not_allowed'
  | 'too_large'
  | 'too_many_redirects'
  | 'redirect_loop'
  | 'insecure_redirect';

/**
 * Names a failure of the network, the name service or the server. Another attempt may succeed, except after `aborted`.
 */
export type FailureCode =
  | 'dns_failed'
  | 'connect_failed'
  | 'tls_failed'
  | 'timeout'
  | 'connection_lost'
  | 'bad_response'
  | 'decompression_failed'
  | 'aborted';

export interface FetchErrorOptions extends ErrorOptions {
  /** Resolved IP address, for the operator's log. The message omits the address, because customers read messages. */
  readonly address?: string;
}

abstract class FetchErrorBase<Code extends string> extends Error {
  readonly code: Code;
  readonly address: string | undefined;

  constructor(code: Code, message: string, options: FetchErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.address = options.address;
  }
}

/** Reports that a request or a response violates a rule. A retry cannot succeed. */
export class FetchRefused extends FetchErrorBase<RefusalCode> {
  override readonly name = 'FetchRefused';
}

/** Reports that an allowed request failed. A retry may succeed, except for `aborted`: the caller ended the request. */
export class FetchFailed extends FetchErrorBase<FailureCode> {
  override readonly name = 'FetchFailed';
}

export type FetchError = FetchRefused | FetchFailed;

export const isFetchError = (error: unknown): error is FetchError =>
  error instanceof FetchRefused || error instanceof FetchFailed;

/** Returns an error with the same code. Its message also states the URL whose redirect led to the failed request. */
export function addRedirectSource(error: FetchError, from: string): FetchError {
  const message = `${error.message} (reached by a redirect from ${from})`;
  const options = error.address === undefined ? { cause: error } : { cause: error, address: error.address };
  return error instanceof FetchRefused
    ? new FetchRefused(error.code, message, options)
    : new FetchFailed(error.code, message, options);
}

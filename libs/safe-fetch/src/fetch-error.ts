/** A rule of ours says no: asking again gives the same answer. */
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

/** The network, the name service or the server did not do its part: it may do so later. */
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
  /** The address that a name stood for. For the operator's log; the message leaves it out, because customers read messages. */
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

/** The request breaks a rule, so it was not sent, or its answer was not taken. Not worth a second try. */
export class FetchRefused extends FetchErrorBase<RefusalCode> {
  override readonly name = 'FetchRefused';
}

/** The request was allowed and did not succeed. A second try may; `aborted` means that the caller ended it. */
export class FetchFailed extends FetchErrorBase<FailureCode> {
  override readonly name = 'FetchFailed';
}

export type FetchError = FetchRefused | FetchFailed;

export const isFetchError = (error: unknown): error is FetchError =>
  error instanceof FetchRefused || error instanceof FetchFailed;

/** The same error, saying which redirect led to it. */
export function reachedFrom(error: FetchError, from: string): FetchError {
  const message = `${error.message} (reached by a redirect from ${from})`;
  const options = error.address === undefined ? { cause: error } : { cause: error, address: error.address };
  return error instanceof FetchRefused
    ? new FetchRefused(error.code, message, options)
    : new FetchFailed(error.code, message, options);
}

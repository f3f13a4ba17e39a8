export { findServerAddressObjection, type AddressRuleSettings } from './address-rules.js';
export {
  parseAllowedUrl,
  requireAllowedHeaders,
  createSafeFetch,
  type FetchOptions,
  type SafeFetch,
  type SafeFetchSettings,
} from './safe-fetch.js';
export { type Resolver } from './public-addresses.js';
export {
  FetchFailed,
  FetchRefused,
  isFetchError,
  type FailureCode,
  type FetchError,
  type RefusalCode,
} from './fetch-error.js';
export { type FollowRedirect } from './follow-redirects.js';
export { DEFAULT_LIMITS, type ConnectionLimits, type Limits, type RequestLimits } from './fetch-limits.js';
export { type HeaderFields } from './outgoing-headers.js';
export { decodeLocationAsUtf8, type Method, type Redirect } from './redirects.js';
export { SafeResponse, type ResponseHeaders } from './safe-response.js';
export { type Connector, type Endpoint } from './first-connection.js';

import { TOKEN_CLAIMS_PATH, TokenGrant, TryLater, type ClaimTokens } from '@quarry/contracts';
import { traceHeaders } from '@quarry/service-kit';
import { parse } from '@quarry/validation';

/** Where a gateway is, and the token that the services share. */
export interface GatewayAddress {
  /** Such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly token: string;
}

const PATIENCE_MS = 30_000;
const TRY_AGAIN_MS = 5_000;
/** What a gateway, or a proxy before it, answers while it starts, stops or waits for its database. */
const AWAY = new Set([502, 503, 504]);

/**
 * Asks a gateway for the tokens of documents. While there is none, indexing waits: a claim that nobody has heard was not granted.
 */
export function askGateway({ url, token }: GatewayAddress): ClaimTokens {
  return async (claim) => {
    const response = await fetch(new URL(TOKEN_CLAIMS_PATH, url), {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...traceHeaders() },
      body: JSON.stringify(claim),
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'error',
    }).catch((error: unknown) => {
      throw new TryLater(TRY_AGAIN_MS, 'the gateway does not answer', { cause: error });
    });
    if (response.ok) return parse(TokenGrant, await response.json(), 'ignore');
    const text = (await response.text()).slice(0, 500);
    const found = `the gateway answered ${response.status} to a claim of tokens: ${text}`;
    throw AWAY.has(response.status) ? new TryLater(TRY_AGAIN_MS, found) : new Error(found);
  };
}

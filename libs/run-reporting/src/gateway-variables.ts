import { parseEnvironment } from '@quarry/service-kit';
import { IsNotEmpty, IsString, IsUrl } from '@quarry/validation';
import type { GatewayAddress } from './gateway-client.js';

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

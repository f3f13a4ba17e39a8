import { Matches } from '@quarry/validation';
import { parseEnvironment } from './environment.js';
import { parsePostgresAddress } from './postgres-address.js';

class Environment {
  @Matches(/^(rediss?(\+(sentinel|cluster))?|postgres(ql)?):\/\//, {
    message: 'must be a redis:// or postgres:// address',
  })
  readonly QUARRY_QUEUE_URL: string;
}

/** Reads the address of the queue server. @throws ConfigurationError */
export function readQueueUrl(environment: NodeJS.ProcessEnv): string {
  const { QUARRY_QUEUE_URL: url } = parseEnvironment(Environment, environment);
  return url.startsWith('postgres') ? parsePostgresAddress('QUARRY_QUEUE_URL', url) : url;
}

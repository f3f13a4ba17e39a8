import { Matches } from '@quarry/validation';
import { parseEnvironment } from './environment.js';

class Environment {
  @Matches(/^(rediss?(\+(sentinel|cluster))?|postgres(ql)?):\/\//, {
    message: 'must be a redis:// or postgres:// address',
  })
  readonly QUARRY_QUEUE_URL: string;
}

/** Where the queues are. @throws ConfigurationError */
export function readQueueUrl(environment: NodeJS.ProcessEnv): string {
  return parseEnvironment(Environment, environment).QUARRY_QUEUE_URL;
}

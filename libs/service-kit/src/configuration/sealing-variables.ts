import { sealingKey } from '@quarry/sealed';
import { IsNotEmpty, IsString } from '@quarry/validation';
import { ConfigurationError, parseEnvironment } from './environment.js';

class Environment {
  /** What the gateway seals customers' headers with: keys of 32 bytes as base64, with commas between a new one and old ones. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_SEALING_KEY: string;
}

/** What customers' secrets are sealed and opened with; the first key seals. @throws ConfigurationError */
export function readSealingKeys(environment: NodeJS.ProcessEnv): readonly Uint8Array[] {
  const text = parseEnvironment(Environment, environment).QUARRY_SEALING_KEY;
  try {
    return text.split(',').map((key) => sealingKey(key.trim()));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConfigurationError([`QUARRY_SEALING_KEY: ${error.message}`], { cause: error });
  }
}

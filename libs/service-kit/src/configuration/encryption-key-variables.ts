import { parseEncryptionKey } from '@quarry/encrypted-secrets';
import { IsNotEmpty, IsString } from '@quarry/validation';
import { ConfigurationError } from './configuration-error.js';
import { parseEnvironment } from './environment.js';

class Environment {
  /** Keys that encrypt customers' headers, separated by commas, the newest first. Each key is 32 bytes in base64. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_SEALING_KEY: string;
}

/**
 * Reads the keys that encrypt customers' secrets. The first key encrypts, and each key decrypts.
 *
 * @throws ConfigurationError
 */
export function readEncryptionKeys(environment: NodeJS.ProcessEnv): readonly Uint8Array[] {
  const text = parseEnvironment(Environment, environment).QUARRY_SEALING_KEY;
  try {
    return text.split(',').map((key) => parseEncryptionKey(key.trim()));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConfigurationError([`QUARRY_SEALING_KEY: ${error.message}`], { cause: error });
  }
}

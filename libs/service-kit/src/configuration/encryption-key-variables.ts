import { parseEncryptionKey } from '@quarry/encrypted-secrets';
import { IsNotEmpty, IsString } from '@quarry/validation';
import { ConfigurationError, parseEnvironment } from './environment.js';

class Environment {
  /** Encrypts customers' secrets: keys of 32 bytes as base64, with commas between a new one and old ones. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_SEALING_KEY: string;
}

/** Reads the keys of customers' secrets: the first one encrypts, all decrypt. @throws ConfigurationError */
export function readEncryptionKeys(environment: NodeJS.ProcessEnv): readonly Uint8Array[] {
  const text = parseEnvironment(Environment, environment).QUARRY_SEALING_KEY;
  try {
    return text.split(',').map((key) => parseEncryptionKey(key.trim()));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConfigurationError([`QUARRY_SEALING_KEY: ${error.message}`], { cause: error });
  }
}

import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OWNER_ONLY = 0o600;

export interface RootKey {
  readonly text: string;
  /** True if this start of Quarry created the key. The key must then be shown to the user. */
  readonly isNew: boolean;
  /** Path of the file that stores the key; undefined if the environment configures the key. */
  readonly file: string | undefined;
}

/**
 * Returns the root key: `configured` if it is set, otherwise the key stored in the data folder. If there is neither,
 * creates a key and stores it in the data folder.
 */
export function loadRootKey(directory: string, configured: string | undefined): RootKey {
  if (configured !== undefined) return { text: configured, isNew: false, file: undefined };
  const file = join(directory, 'root-key');
  return { ...loadOrCreateSecret(file, () => `qk_${randomBytes(32).toString('base64url')}`), file };
}

/**
 * Returns the key that encrypts customers' secrets, 32 bytes in base64. Creates it in the data folder if it is missing.
 */
export function loadEncryptionKey(directory: string): string {
  return loadOrCreateSecret(join(directory, 'sealing-key'), () => randomBytes(32).toString('base64')).text;
}

/** Returns a token that authenticates the services of this process to each other. The token is new at each start. */
export function createInternalToken(): string {
  return randomBytes(32).toString('base64url');
}

function loadOrCreateSecret(file: string, create: () => string): { readonly text: string; readonly isNew: boolean } {
  const stored = readFileIfExists(file);
  // An interrupted start of an earlier version may have left an empty file.
  if (stored !== undefined && stored !== '') return { text: stored, isNew: false };
  const text = create();
  storeSecret(file, text);
  return { text, isNew: true };
}

/** Stores a secret so that its file is complete or absent, also after a power failure. */
function storeSecret(file: string, text: string): void {
  const temporary = `${file}.new`;
  writeFileSync(temporary, `${text}\n`, { mode: OWNER_ONLY, flush: true });
  renameSync(temporary, file);
}

function readFileIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OWNER_ALONE = 0o600;

export interface RootKey {
  readonly text: string;
  /** Whether it was made just now, and must be shown. */
  readonly isNew: boolean;
  /** Where it is kept; undefined when it came from the environment. */
  readonly file: string | undefined;
}

/** The first API key: the one given, else the one kept in the data folder, else a new one that is kept there. */
export function rootKey(directory: string, given: string | undefined): RootKey {
  if (given !== undefined) return { text: given, isNew: false, file: undefined };
  const file = join(directory, 'root-key');
  return { ...keptSecret(file, () => `qk_${randomBytes(32).toString('base64url')}`), file };
}

/** Returns the key that encrypts customers' secrets: 32 bytes as base64, kept in the data folder. */
export function loadEncryptionKey(directory: string): string {
  return keptSecret(join(directory, 'sealing-key'), () => randomBytes(32).toString('base64')).text;
}

/** What the services of this process prove themselves with to each other. New at each start: nothing else needs it. */
export function internalToken(): string {
  return randomBytes(32).toString('base64url');
}

function keptSecret(file: string, make: () => string): { readonly text: string; readonly isNew: boolean } {
  const kept = readIfThere(file);
  if (kept !== undefined) return { text: kept, isNew: false };
  const text = make();
  writeFileSync(file, `${text}\n`, { mode: OWNER_ALONE });
  return { text, isNew: true };
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

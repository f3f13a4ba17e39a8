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
  const kept = readIfThere(file);
  if (kept !== undefined) return { text: kept, isNew: false, file };
  const text = `qk_${randomBytes(32).toString('base64url')}`;
  writeFileSync(file, `${text}\n`, { mode: OWNER_ALONE });
  return { text, isNew: true, file };
}

/** What the services of this process prove themselves with to each other. New at each start: nothing else needs it. */
export function internalToken(): string {
  return randomBytes(32).toString('base64url');
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

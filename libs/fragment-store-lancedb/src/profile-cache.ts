import type { Table } from '@lancedb/lancedb';
import type { DocumentProfile } from '@quarry/fragment-store';
import { readProfiles } from './stored-documents.js';

/** Maximum memory of the cached profiles, in bytes. The profile of a document of 100 pages has about 8 kB. */
const MAX_BYTES = 32 << 20;
/** Estimated memory of an entry without its profile, in bytes. */
const ENTRY_BYTES = 200;

/** Identifies a version of a document. The profile of a version never changes. */
export interface ProfiledVersion {
  readonly documentId: string;
  readonly contentHash: string;
}

/**
 * Caches the profiles of documents that searches found, because reading profiles requires a query. If the memory limit
 * is exceeded, evicts the profiles that were added first. Holds an empty profile for a document that was stored without
 * a profile.
 */
export class ProfileCache {
  readonly #profiles = new Map<string, DocumentProfile>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Returns one profile per version, in the order of `versions`. Undefined for a version that was stored without a
   * profile.
   */
  async findProfiles(
    table: Table,
    versions: readonly ProfiledVersion[],
  ): Promise<readonly (DocumentProfile | undefined)[]> {
    const unknown = versions.filter((version) => !this.#profiles.has(getProfileKey(version)));
    const found = new Map(
      versions.map((version) => [getProfileKey(version), this.#profiles.get(getProfileKey(version))]),
    );
    for (const stored of await readProfiles(table, new Set(unknown.map(({ documentId }) => documentId)))) {
      found.set(getProfileKey(stored), stored.profile);
      this.#addProfile(getProfileKey(stored), stored.profile);
    }
    return versions.map((version) => {
      const profile = found.get(getProfileKey(version));
      return profile === undefined || profile.length === 0 ? undefined : profile;
    });
  }

  #addProfile(key: string, profile: DocumentProfile): void {
    if (this.#profiles.has(key)) return;
    this.#profiles.set(key, profile);
    this.#bytes += profile.byteLength + ENTRY_BYTES;
    for (const [oldest, { byteLength }] of this.#profiles) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#profiles.delete(oldest);
      this.#bytes -= byteLength + ENTRY_BYTES;
    }
  }
}

function getProfileKey({ documentId, contentHash }: ProfiledVersion): string {
  return `${documentId}/${contentHash}`;
}

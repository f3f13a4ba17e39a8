import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { BlobNotFound, type BlobStore } from '@quarry/blob-store';
import { checkOf, IsArray, IsIn, IsString } from '@quarry/validation';
import { CatalogState } from './catalog-state.js';
import { listOfVersions, versionsIn } from './versions.js';

/** Some of what the starts of a run were about to hand over. */
class Intentions {
  @IsIn([2])
  readonly form: 2;

  /** By turns a document key and a hash, as in the state. */
  @IsArray()
  @IsString({ each: true })
  readonly versions: readonly string[];
}

const isCatalogState = checkOf(CatalogState, 'ignore');
const areIntentions = checkOf(Intentions, 'ignore');

/** Keeps a datasource's catalogue state among its blobs, which go when it goes. */
export interface StateStore {
  /** Undefined when there is none that can be read: then everything is read again, which loses nothing. */
  load(): Promise<CatalogState | undefined>;
  save(state: CatalogState): Promise<void>;
  /** What the starts of this run were about to hand over: the first version of each document. Called before the first is saved. */
  loadIntentions(): Promise<ReadonlyMap<string, string>>;
  /** Adds to them. */
  saveIntentions(versions: ReadonlyMap<string, string>): Promise<void>;
}

/**
 * @param folder the datasource's place in the blob store, without a slash at its end
 * @param runFolder the run's own place, with a slash at its end
 */
export function stateStore(blobs: BlobStore, folder: string, runFolder: string): StateStore {
  const stateKey = `${folder}/catalog-state`;
  // One after the other: each is as long as a page is, however long the listing.
  const intentionsKey = (part: number): string => `${runFolder}intentions-${part}`;
  let parts = 0;
  return {
    load: () => readJson(blobs, stateKey, isCatalogState),
    save: (state) => writeJson(blobs, stateKey, state),
    loadIntentions: async () => {
      const first = new Map<string, string>();
      for (;;) {
        const kept = await readJson(blobs, intentionsKey(parts), areIntentions);
        if (kept === undefined) return first;
        for (const [key, version] of versionsIn(kept.versions)) if (!first.has(key)) first.set(key, version);
        parts += 1;
      }
    },
    saveIntentions: async (versions) => {
      await writeJson(blobs, intentionsKey(parts), { form: 2, versions: listOfVersions(versions) });
      parts += 1;
    },
  };
}

async function readJson<T>(
  blobs: BlobStore,
  key: string,
  isExpected: (value: unknown) => value is T,
): Promise<T | undefined> {
  try {
    const value: unknown = JSON.parse(await text(await blobs.read(key)));
    return isExpected(value) ? value : undefined;
  } catch (error) {
    if (error instanceof BlobNotFound || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function writeJson(blobs: BlobStore, key: string, value: object): Promise<void> {
  await blobs.write(key, Readable.from([JSON.stringify(value)]));
}

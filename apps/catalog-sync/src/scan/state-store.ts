import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { BlobNotFound, type BlobStore } from '@quarry/blob-store';
import { IsIn, IsObject, IsString, parse, ValidationError, type Shape } from '@quarry/validation';
import { CatalogState } from './catalog-state.js';

/** What the starts of a run were about to hand over since its last checkpoint: the first version of each document. */
class Intentions {
  @IsIn([1])
  readonly form: 1;

  @IsString()
  readonly runId: string;

  @IsObject()
  readonly versions: Readonly<Record<string, string>>;
}

/** Keeps a datasource's catalogue state among its blobs, which go when it goes. */
export interface StateStore {
  /** Undefined when there is none that can be read: then everything is read again, which loses nothing. */
  load(): Promise<CatalogState | undefined>;
  save(state: CatalogState): Promise<void>;
  loadIntentions(runId: string): Promise<ReadonlyMap<string, string>>;
  saveIntentions(runId: string, versions: ReadonlyMap<string, string>): Promise<void>;
}

/** @param folder the datasource's place in the blob store, without a slash at its end */
export function stateStore(blobs: BlobStore, folder: string): StateStore {
  const stateKey = `${folder}/catalog-state`;
  const intentionsKey = `${folder}/catalog-intentions`;
  return {
    load: () => readShape(blobs, stateKey, CatalogState),
    save: (state) => writeJson(blobs, stateKey, state),
    loadIntentions: async (runId) => {
      const kept = await readShape(blobs, intentionsKey, Intentions);
      return new Map(kept?.runId === runId ? Object.entries(kept.versions) : []);
    },
    saveIntentions: (runId, versions) =>
      writeJson(blobs, intentionsKey, { form: 1, runId, versions: Object.fromEntries(versions) }),
  };
}

async function readShape<T extends object>(blobs: BlobStore, key: string, shape: Shape<T>): Promise<T | undefined> {
  try {
    return parse(shape, JSON.parse(await text(await blobs.read(key))), 'ignore');
  } catch (error) {
    if (error instanceof BlobNotFound || error instanceof SyntaxError || error instanceof ValidationError)
      return undefined;
    throw error;
  }
}

async function writeJson(blobs: BlobStore, key: string, value: object): Promise<void> {
  await blobs.write(key, Readable.from([JSON.stringify(value)]));
}

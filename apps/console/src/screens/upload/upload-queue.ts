import { createRandomId, QuarryError, type Datasource } from '@quarry/client';

/** A file that the user chose or dropped. */
export interface ChosenFile {
  readonly file: File;
  /**
   * The name of the datasource, such as `report.pdf`. For a file in a folder, the names of its folders come first,
   * because an upload replaces the datasource of an earlier upload with the same name.
   */
  readonly name: string;
}

export interface Upload extends ChosenFile {
  readonly id: number;
  /**
   * The `Idempotency-Key` header of all attempts to upload the file, so that a repeated attempt creates no second
   * datasource.
   */
  readonly idempotencyKey: string;
  readonly state: 'waiting' | 'sending' | 'done' | 'refused' | 'cancelled';
  /** Share of the file that the current attempt has sent, from 0 to 1. */
  readonly share: number;
  /** The error with which the API refused the upload, or with which the request failed. Absent otherwise. */
  readonly error?: unknown;
  /** The datasource that the upload has created. Absent unless `state` is `done`. */
  readonly datasource?: Datasource;
}

/** Sends a file to the API. @param onProgress receives the share of the file that was sent, from 0 to 1 */
export type SendFile = (
  chosen: ChosenFile,
  options: {
    readonly signal: AbortSignal;
    readonly idempotencyKey: string;
    readonly onProgress: (share: number) => void;
  },
) => Promise<Datasource>;

export interface UploadQueue {
  readonly getUploads: () => readonly Upload[];
  readonly subscribe: (listener: () => void) => () => void;
  readonly add: (files: readonly ChosenFile[]) => void;
  /**
   * Repeats the upload `id`, or all uploads if it is absent. Ignores uploads for which `canRetryUpload` returns false.
   */
  readonly retry: (id?: number) => void;
  /** Cancels the upload `id`, or all uploads if it is absent. Ignores uploads that have ended. */
  readonly cancel: (id?: number) => void;
  /** Removes the upload `id` from the list, or all uploads if it is absent. Ignores uploads that have not ended. */
  readonly clear: (id?: number) => void;
}

const PARALLEL = 3;

/** Creates a queue of file uploads. @param parallel maximum number of files that are sent at the same time */
export function createUploadQueue(send: SendFile, parallel = PARALLEL): UploadQueue {
  const store = createUploadStore();
  const { getUploads, subscribe, change, update } = store;
  const aborts = new Map<number, AbortController>();
  const sendUpload = async ({ id, file, name, idempotencyKey }: Upload): Promise<void> => {
    const abort = new AbortController();
    aborts.set(id, abort);
    update(id, { state: 'sending', share: 0 });
    const onProgress = (share: number): void => update(id, { share });
    try {
      const datasource = await send({ file, name }, { signal: abort.signal, idempotencyKey, onProgress });
      update(id, { state: 'done', share: 1, datasource });
    } catch (error) {
      update(id, abort.signal.aborted ? { state: 'cancelled' } : { state: 'refused', error });
    }
    aborts.delete(id);
    startNextUploads();
  };
  const startNextUploads = (): void => {
    const waiting = getUploads().filter(({ state }) => state === 'waiting');
    for (const upload of waiting.slice(0, Math.max(0, parallel - aborts.size))) void sendUpload(upload);
  };
  const changeMatchingUploads = (
    id: number | undefined,
    isFit: (upload: Upload) => boolean,
    values: Partial<Upload>,
  ): void => {
    const isChosen = (upload: Upload): boolean => (id === undefined || upload.id === id) && isFit(upload);
    change(getUploads().map((upload) => (isChosen(upload) ? { ...upload, ...values } : upload)));
  };
  return {
    getUploads,
    subscribe,
    add: (files) => {
      store.append(files);
      startNextUploads();
    },
    retry: (id) => {
      changeMatchingUploads(id, canRetryUpload, { state: 'waiting', share: 0, error: undefined });
      startNextUploads();
    },
    cancel: (id) => {
      changeMatchingUploads(id, ({ state }) => state === 'waiting', { state: 'cancelled' });
      for (const [sending, abort] of aborts) if (id === undefined || id === sending) abort.abort();
    },
    clear: (id) =>
      change(getUploads().filter((upload) => isInProgress(upload) || (id !== undefined && upload.id !== id))),
  };
}

function isInProgress({ state }: Upload): boolean {
  return state === 'waiting' || state === 'sending';
}

/**
 * HTTP status codes with which the API refuses a file because of its size or type. The API would also refuse another
 * attempt.
 */
const FINAL_STATUSES: ReadonlySet<number> = new Set([413, 415]);

/**
 * Returns true for an upload that was cancelled, or that was refused for a reason that may not apply to another
 * attempt.
 */
export function canRetryUpload({ state, error }: Upload): boolean {
  if (state === 'cancelled') return true;
  if (state !== 'refused') return false;
  return !(error instanceof QuarryError && (error.code === 'file_empty' || FINAL_STATUSES.has(error.status)));
}

interface UploadStore extends Pick<UploadQueue, 'getUploads' | 'subscribe'> {
  readonly change: (uploads: readonly Upload[]) => void;
  readonly update: (id: number, values: Partial<Upload>) => void;
  readonly append: (files: readonly ChosenFile[]) => void;
}

function createUploadStore(): UploadStore {
  let uploads: readonly Upload[] = [];
  let count = 0;
  const listeners = new Set<() => void>();
  const replaceUploads = (next: readonly Upload[]): void => {
    uploads = next;
    for (const listener of listeners) listener();
  };
  return {
    getUploads: () => uploads,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change: replaceUploads,
    update: (id, values) =>
      replaceUploads(uploads.map((upload) => (upload.id === id ? { ...upload, ...values } : upload))),
    append: (files) => {
      const added = files.map(({ file, name }): Upload => {
        count += 1;
        return { id: count, file, name, state: 'waiting', share: 0, idempotencyKey: createRandomId() };
      });
      replaceUploads([...uploads, ...added]);
    },
  };
}

/** Counts uploads by their state. */
export function countUploadsByState(uploads: readonly Upload[]): Readonly<Record<Upload['state'], number>> {
  const counts = { waiting: 0, sending: 0, done: 0, refused: 0, cancelled: 0 };
  for (const { state } of uploads) counts[state] += 1;
  return counts;
}

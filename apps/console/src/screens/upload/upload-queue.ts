import { createRandomId, QuarryError, type Datasource } from '@quarry/client';
import { isUnreachableError } from '../../api/create-observed-fetch.js';

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
  /**
   * `unsent`: the request received no response. The queue repeats it up to `MAX_RESENDS` times when Quarry responds
   * again. `refused`: the API refused the file.
   */
  readonly state: 'waiting' | 'sending' | 'done' | 'unsent' | 'refused' | 'cancelled';
  /** Number of times that the queue has repeated the upload by itself since the user started it. */
  readonly resends: number;
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

export interface UploadQueueOptions {
  /** Maximum number of files that are sent at the same time. Default: 3. */
  readonly parallel?: number;
  /** Waits until Quarry responds. The queue then repeats the uploads that received no response. */
  readonly waitUntilReachable: () => Promise<void>;
}

/**
 * Maximum number of times that the queue repeats an upload by itself. The connection can also fail because of the file,
 * such as at a proxy that limits the size of requests.
 */
const MAX_RESENDS = 3;

/**
 * Creates a queue of file uploads. If an upload receives no response, the queue sends nothing until Quarry responds
 * again.
 */
export function createUploadQueue(send: SendFile, options: UploadQueueOptions): UploadQueue {
  const { parallel = 3, waitUntilReachable } = options;
  const store = createUploadStore();
  const { getUploads, subscribe, change, changeMatching, update } = store;
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
      const state = findFailureState(error, abort.signal);
      update(id, state === 'cancelled' ? { state } : { state, error });
      if (state === 'unsent') pauseUntilReachable();
    }
    aborts.delete(id);
    startNextUploads();
  };
  let isPaused = false;
  const pauseUntilReachable = (): void => {
    if (isPaused) return;
    isPaused = true;
    void waitUntilReachable().then(() => {
      isPaused = false;
      change(getUploads().map(prepareResend));
      startNextUploads();
    });
  };
  const startNextUploads = (): void => {
    if (isPaused) return;
    const waiting = getUploads().filter(({ state }) => state === 'waiting');
    for (const upload of waiting.slice(0, Math.max(0, parallel - aborts.size))) void sendUpload(upload);
  };
  return {
    getUploads,
    subscribe,
    add: (files) => {
      store.append(files);
      startNextUploads();
    },
    retry: (id) => {
      changeMatching(id, canRetryUpload, { ...RESTARTED, resends: 0 });
      startNextUploads();
    },
    cancel: (id) => {
      const isIdle = (upload: Upload): boolean => isInProgress(upload) && upload.state !== 'sending';
      changeMatching(id, isIdle, { state: 'cancelled', error: undefined });
      for (const [sending, abort] of aborts) if (id === undefined || id === sending) abort.abort();
    },
    clear: (id) =>
      change(getUploads().filter((upload) => isInProgress(upload) || (id !== undefined && upload.id !== id))),
  };
}

function findFailureState(error: unknown, signal: AbortSignal): 'cancelled' | 'unsent' | 'refused' {
  if (signal.aborted) return 'cancelled';
  return isUnreachableError(error) ? 'unsent' : 'refused';
}

const RESTARTED = { state: 'waiting', share: 0, error: undefined } as const;

/** Returns an upload that received no response as a waiting upload, unless it was repeated too often. */
function prepareResend(upload: Upload): Upload {
  return canResend(upload) ? { ...upload, ...RESTARTED, resends: upload.resends + 1 } : upload;
}

function canResend({ state, resends }: Upload): boolean {
  return state === 'unsent' && resends < MAX_RESENDS;
}

/** Returns true for an upload that has not ended. An unsent upload has ended if the queue no longer repeats it. */
export function isInProgress(upload: Upload): boolean {
  return upload.state === 'waiting' || upload.state === 'sending' || canResend(upload);
}

/**
 * HTTP status codes with which the API refuses a file because of its size or type. The API would also refuse another
 * attempt.
 */
const FINAL_STATUSES: ReadonlySet<number> = new Set([413, 415]);

/**
 * Returns true for an upload that was cancelled, that received no response, or that was refused for a reason that may
 * not apply to another attempt.
 */
export function canRetryUpload({ state, error }: Upload): boolean {
  if (state === 'cancelled' || state === 'unsent') return true;
  if (state !== 'refused') return false;
  return !(error instanceof QuarryError && (error.code === 'file_empty' || FINAL_STATUSES.has(error.status)));
}

interface UploadStore extends Pick<UploadQueue, 'getUploads' | 'subscribe'> {
  readonly change: (uploads: readonly Upload[]) => void;
  /** Changes the upload `id`, or all uploads if it is undefined. Ignores uploads for which `isFit` returns false. */
  readonly changeMatching: (
    id: number | undefined,
    isFit: (upload: Upload) => boolean,
    values: Partial<Upload>,
  ) => void;
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
    changeMatching: (id, isFit, values) => {
      const isChosen = (upload: Upload): boolean => (id === undefined || upload.id === id) && isFit(upload);
      replaceUploads(uploads.map((upload) => (isChosen(upload) ? { ...upload, ...values } : upload)));
    },
    update: (id, values) =>
      replaceUploads(uploads.map((upload) => (upload.id === id ? { ...upload, ...values } : upload))),
    append: (files) => {
      const added = files.map(({ file, name }): Upload => {
        count += 1;
        return { id: count, file, name, state: 'waiting', share: 0, resends: 0, idempotencyKey: createRandomId() };
      });
      replaceUploads([...uploads, ...added]);
    },
  };
}

/** Returns true for an upload that has replaced the file of an existing datasource instead of creating a datasource. */
export function hasReplacedFile({ datasource }: Upload): boolean {
  return datasource !== undefined && datasource.createdAt !== datasource.updatedAt;
}

/** Returns true for an upload whose file was replaced by the file of another upload in the list. */
export function isReplacedUpload({ datasource }: Upload, uploads: readonly Upload[]): boolean {
  if (datasource === undefined) return false;
  const { id, updatedAt } = datasource;
  return uploads.some(({ datasource: other }) => other?.id === id && other.updatedAt > updatedAt);
}

/** Counts uploads by their state. */
export function countUploadsByState(uploads: readonly Upload[]): Readonly<Record<Upload['state'], number>> {
  const counts = { waiting: 0, sending: 0, done: 0, unsent: 0, refused: 0, cancelled: 0 };
  for (const { state } of uploads) counts[state] += 1;
  return counts;
}

import type { QuarryClient } from '@quarry/client';
import { useEffect, useSyncExternalStore } from 'react';
import { useClient } from '../../api/client-context.js';
import { waitUntilReachable } from '../../api/wait-until-reachable.js';
import { createUploadQueue, isInProgress, type Upload, type UploadQueue } from './upload-queue.js';

/**
 * The upload queues of each API client, keyed by datastore id. They are stored outside the React state of a screen, so
 * that uploads continue while other screens are open.
 */
const QUEUES = new WeakMap<QuarryClient, Map<string, UploadQueue>>();

/**
 * Returns the uploads to a datastore, and functions that control them. Until all uploads have ended, the browser asks
 * for confirmation before it closes the page.
 */
export function useUploads(datastoreId: string): UploadQueue & { readonly uploads: readonly Upload[] } {
  const queue = findOrCreateUploadQueue(useClient(), datastoreId);
  const uploads = useSyncExternalStore(queue.subscribe, queue.getUploads);
  const isOpen = uploads.some(isInProgress);
  useEffect(() => {
    if (!isOpen) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => {
      removeEventListener('beforeunload', warn);
    };
  }, [isOpen]);
  return { ...queue, uploads };
}

/** Returns the queue of an API client's uploads to a datastore. Creates the queue at the first call. */
export function findOrCreateUploadQueue(client: QuarryClient, datastoreId: string): UploadQueue {
  const queues = QUEUES.get(client) ?? new Map<string, UploadQueue>();
  QUEUES.set(client, queues);
  const known = queues.get(datastoreId);
  if (known !== undefined) return known;
  const queue = createUploadQueue(
    async ({ file, name }, { signal, idempotencyKey, onProgress }) =>
      client.uploadFile(datastoreId, file, {
        fileName: name,
        signal,
        idempotencyKey,
        onProgress: ({ sentBytes, totalBytes }) => onProgress(totalBytes === 0 ? 0 : sentBytes / totalBytes),
      }),
    { waitUntilReachable: async () => waitUntilReachable() },
  );
  queues.set(datastoreId, queue);
  return queue;
}

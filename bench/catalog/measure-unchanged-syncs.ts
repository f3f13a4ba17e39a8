import { join } from 'node:path';
import { runWithTemporaryFolder } from '../quarry/start-quarry.js';
import type { SyncOutcome, SyncRequest } from './catalog.js';
import { sendRequestToChild, startChildProgram } from './child-programs.js';

/** Holds the measurements of one sync of an unchanged listing in its own process. */
export interface UnchangedFigures {
  readonly items: number;
  readonly mode: SyncRequest['mode'];
  readonly seconds: number;
  readonly requests: number;
  readonly toEmbed: number;
  /** Maximum resident memory of the process since its start, in MB. */
  readonly maxMegabytes: number;
  readonly longestPauseMs: number;
  readonly longestWorkMs: number;
  readonly startMegabytes: number;
}

/**
 * Syncs a listing, and then measures an incremental and a full sync of the unchanged listing. Each sync runs in a new
 * process, so that earlier syncs do not affect the measured memory.
 */
export async function measureUnchangedSyncs(items: number): Promise<readonly UnchangedFigures[]> {
  return runWithTemporaryFolder(async (folder) => {
    const [shop, address] = await startChildProgram('bare-shop.js', [String(items)]);
    const [gateway, url] = await startChildProgram('versions-gateway.js', []);
    const runSync = async (wanted: SyncRequest): Promise<SyncOutcome> => {
      const [catalog] = await startChildProgram('catalog.js', [address, join(folder, 'data'), url]);
      try {
        return await sendRequestToChild<SyncOutcome>(catalog, wanted);
      } finally {
        catalog.kill();
      }
    };
    try {
      const first = await runSync({ mode: 'full' });
      if (first.documents !== items)
        throw new Error(`expected the full sync to discover ${items} documents, found ${first.documents}`);
      const { listingState } = first;
      await sendRequestToChild<number>(gateway, 'count');
      const figures: UnchangedFigures[] = [];
      for (const mode of ['incremental', 'full'] as const) {
        const { addresses, ...outcome } = await runSync({ mode, listingState });
        const { seconds, startMegabytes, maxMegabytes, longestPauseMs, longestWorkMs } = outcome;
        const toEmbed = await sendRequestToChild<number>(gateway, 'count');
        const requests = addresses.length;
        const memory = { startMegabytes, maxMegabytes };
        figures.push({ items, mode, seconds, requests, toEmbed, ...memory, longestPauseMs, longestWorkMs });
      }
      return figures;
    } finally {
      for (const child of [shop, gateway]) child.kill();
    }
  });
}

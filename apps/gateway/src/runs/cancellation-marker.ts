import { cancelRuns, type RunOfDatasource } from '@quarry/blob-store';
import type { Gateway } from '../gateway.js';

/**
 * Writes the marker by which crawls and listing syncs find out that their run has ended. Called after the commit that has ended
 * the run, so that a rollback cancels nothing and no row is locked meanwhile. It never throws: without the marker, a worker does
 * work whose events the gateway ignores.
 */
export async function writeCancellationMarker(
  { blobs, log }: Pick<Gateway, 'blobs' | 'log'>,
  run: RunOfDatasource | undefined,
): Promise<void> {
  if (run === undefined) return;
  try {
    await cancelRuns(blobs, run);
  } catch (error) {
    const { datasourceId, generation } = run;
    log.warn({ err: error, datasourceId, generation }, 'the marker of a cancelled run cannot be written');
  }
}

import type {
  DocumentOutcomeFound,
  DocumentToIndex,
  RecordDocumentsResponse,
  RunGateway,
  RunRef,
} from '@quarry/contracts';
import { RunNotWanted } from './run-watch.js';

/** Lists the documents that a run has found since the previous call. */
export interface FoundDocuments {
  readonly toIndex?: readonly DocumentToIndex[];
  readonly settled?: readonly DocumentOutcomeFound[];
  /** The position at which the run continues after a restart. Absent: unchanged. */
  readonly checkpoint?: Readonly<Record<string, unknown>>;
}

/** Records the documents of one run with the gateway. */
export interface RunDocuments {
  /**
   * Resolves when the documents and the checkpoint are durable. Documents that were recorded before change nothing.
   *
   * @throws RunNotWanted, TryLater while the gateway is unavailable
   */
  record(found: FoundDocuments): Promise<RecordDocumentsResponse>;
}

export function createRunDocuments(
  gateway: Pick<RunGateway, 'recordDocuments'>,
  { datasourceId, runId }: RunRef,
  now: () => Date,
): RunDocuments {
  return {
    record: async ({ toIndex = [], settled = [], checkpoint }) => {
      const recorded = await gateway.recordDocuments({
        ...{ datasourceId, runId, at: now().toISOString(), toIndex, settled },
        ...(checkpoint && { checkpoint }),
      });
      if (recorded.state !== 'wanted') throw new RunNotWanted(recorded.state);
      return recorded;
    },
  };
}

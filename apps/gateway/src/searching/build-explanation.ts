import type { DroppedCount, DroppedResult, FragmentScores, SearchExplanation, SearchTrace } from '@quarry/contracts';
import type { DatasourceLabel } from '../datasources/datasource-repository.js';
import { toApiDocumentKey } from '../datasources/document-view.js';

/**
 * Builds the explanation of a search in the form of the API. It counts the fragments of deleted datasources, but lists
 * neither these fragments nor their scores.
 *
 * @param resultLabels for each entry of `results`, the label of its datasource; undefined if the datasource was
 *   deleted, so that the fragment is not returned
 * @param labels the labels of the existing datasources, by id
 */
export function buildExplanation(
  { query, lists, stages, results, dropped, droppedCounts }: SearchTrace,
  {
    resultLabels,
    labels,
  }: {
    readonly resultLabels: readonly (DatasourceLabel | undefined)[];
    readonly labels: ReadonlyMap<string, DatasourceLabel>;
  },
): SearchExplanation {
  const listed = dropped.flatMap(({ fragment, scores, reason, duplicateOf }): DroppedResult[] => {
    const { datasourceId, customId, source, page, text } = fragment;
    const label = labels.get(datasourceId);
    if (label === undefined) return [];
    const datasource = { datasource_id: datasourceId, datasource_name: label.name, custom_id: customId };
    return [{ ...toApiScores(scores, label), reason, duplicate_of: duplicateOf, text, source, page, ...datasource }];
  });
  const removed = resultLabels.filter((label) => label === undefined).length;
  const removedCounts: readonly DroppedCount[] =
    removed === 0 ? [] : [{ reason: 'datasource_removed', count: removed }];
  return {
    query,
    lists,
    stages,
    results: results.flatMap((scores, at) => {
      const label = resultLabels[at];
      return label === undefined ? [] : [toApiScores(scores, label)];
    }),
    dropped: listed,
    dropped_counts: [...droppedCounts, ...removedCounts],
  };
}

type Scores = Pick<FragmentScores, keyof FragmentScores>;

/** Replaces the stored document key in the scores of a fragment by the document key of the API. */
function toApiScores(scores: Scores, label: DatasourceLabel): Scores {
  return { ...scores, document_key: toApiDocumentKey(label, scores.document_key) };
}

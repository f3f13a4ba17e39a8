import type { AnswerSource, CitedFragment } from '@quarry/contracts';
import { listCitationMarks } from '@quarry/text-analysis/citation-marks';
import type { Queries } from '../database/database.js';
import { type DatasourceLabel, loadDatasourceLabels } from '../datasources/datasource-repository.js';
import { toApiDocumentKey } from '../datasources/document-view.js';
import { findDocumentUrl, type StoredPassage } from '../source-addresses/source-address.js';

/** The text of a complete answer, and the fragments that its citation marks number. */
interface CitingAnswer {
  readonly text: string;
  readonly fragments: readonly CitedFragment[];
}

/**
 * Builds the sources of a response: the fragments of an answer with the names of their datasources. Omits removed
 * datasources. If the text has citation marks, includes them without name and text instead, because each mark is the
 * position of a source.
 */
export async function buildAnswerSources(
  db: Queries,
  organizationId: string,
  { text, fragments }: CitingAnswer,
): Promise<readonly StoredPassage<AnswerSource>[]> {
  const labels = await loadDatasourceLabels(
    db,
    organizationId,
    fragments.map((fragment) => fragment.datasourceId),
  );
  const sources = fragments.map((fragment) => buildAnswerSource(fragment, labels.get(fragment.datasourceId)));
  const isNumbered = listCitationMarks(text, fragments.length).length > 0;
  return isNumbered ? sources : sources.filter(({ datasource_id: id }) => labels.has(id));
}

/** @param label undefined if the datasource was removed while the model answered */
function buildAnswerSource(fragment: CitedFragment, label: DatasourceLabel | undefined): StoredPassage<AnswerSource> {
  return {
    chunk_id: fragment.fragmentId,
    datasource_id: fragment.datasourceId,
    datasource_name: label?.name ?? '',
    datasource_type: label?.type ?? '',
    document_key: label === undefined ? null : toApiDocumentKey(label, fragment.documentKey),
    custom_id: fragment.customId,
    source: findDocumentUrl(fragment.source, label),
    score: fragment.score,
    page: fragment.page,
    rectangles: fragment.rectangles,
    text: label === undefined ? '' : fragment.text,
    cited: fragment.cited,
  };
}

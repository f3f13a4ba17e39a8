import type { AnswerSource, CitedFragment } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { labelsOf } from '../datasources/datasource-repository.js';

/** Returns the fragments of an answer with the names of their datasources. Omits fragments of removed datasources. */
export async function buildAnswerSources(
  db: Queries,
  organizationId: string,
  fragments: readonly CitedFragment[],
): Promise<readonly AnswerSource[]> {
  const labels = await labelsOf(
    db,
    organizationId,
    fragments.map((fragment) => fragment.datasourceId),
  );
  return fragments.flatMap((fragment) => {
    const label = labels.get(fragment.datasourceId);
    if (label === undefined) return [];
    return {
      chunk_id: fragment.fragmentId,
      datasource_id: fragment.datasourceId,
      datasource_name: label.name,
      datasource_type: label.type,
      custom_id: fragment.customId,
      source: fragment.source,
      score: fragment.score,
      page: fragment.page,
      text: fragment.text,
      cited: fragment.cited,
    };
  });
}

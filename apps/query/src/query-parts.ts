import type { AnsweringParts } from './answering/generate-answer.js';
import { SourceTokens } from './answering/source-tokens.js';
import type { QueryContext } from './context.js';
import { createMeasurements, type Measurements } from './measurements.js';
import { createEmbedQuery } from './retrieval/embed-query.js';
import { SearchAdmission } from './retrieval/search-admission.js';

/** Holds the dependencies and the state that all requests of one query service share. */
export interface QueryParts extends Omit<AnsweringParts, 'measurements'>, Pick<QueryContext, 'models' | 'getEmbedder'> {
  readonly measurements: Measurements;
}

export function createQueryParts(context: Omit<QueryContext, 'internalToken' | 'metricsToken'>): QueryParts {
  const measurements = createMeasurements(context.metrics);
  return {
    ...context,
    measurements,
    sourceTokens: new SourceTokens(),
    embedQuery: createEmbedQuery(context.getEmbedder),
    admission: new SearchAdmission(context.admissionLimits, measurements.searches),
  };
}

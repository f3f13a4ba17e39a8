/**
 * Version of the analysis. Increase it when `extractTerms` returns other terms than before: documents that were indexed
 * with another version are then indexed again by the next run that reads them.
 */
export const ANALYSIS_VERSION = 7;

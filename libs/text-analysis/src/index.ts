export {
  ANALYSIS_VERSION,
  MAX_TERM_LENGTH,
  WEIGHT_STEP,
  languageOf,
  termCounts,
  termsOf,
  termsOfQuery,
  weightedTermsOfQuery,
  countQueryWords,
} from './terms.js';

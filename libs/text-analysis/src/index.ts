export {
  ANALYSIS_VERSION,
  MAX_TERM_LENGTH,
  languageOf,
  termCounts,
  termsOf,
  termsOfQuery,
  wordsOfQuery,
} from './terms.js';

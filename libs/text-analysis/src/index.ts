export { ANALYSIS_VERSION, MAX_TERM_LENGTH, termCounts, termsOf, termsOfQuery, wordsOfQuery } from './terms.js';

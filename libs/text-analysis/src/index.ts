export { ANALYSIS_VERSION } from './analysis-version.js';
export { detectDocumentLanguage } from './document-language.js';
export {
  MAX_TERM_LENGTH,
  WEIGHT_STEP,
  detectLanguage,
  countTerms,
  extractTerms,
  analyzeQueryTerms,
  weighQueryTerms,
  countQueryWords,
  analyzeQueryForExplanation,
} from './terms.js';

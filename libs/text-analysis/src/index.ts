export { detectDocumentLanguage } from './document-language.js';
export {
  ANALYSIS_VERSION,
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

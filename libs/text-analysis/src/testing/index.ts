export { TEXTS_IN_LANGUAGES, splitIntoWords, type TextInLanguage } from './texts-in-languages.js';

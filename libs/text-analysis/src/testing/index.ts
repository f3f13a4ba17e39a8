export { TEXTS_IN_LANGUAGES, wordsOfText, type TextInLanguage } from './texts-in-languages.js';

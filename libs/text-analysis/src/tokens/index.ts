export { countTokens } from './count-tokens.js';
export { findLongestStart } from './find-longest-start.js';
export { measureTokenOverlap } from './measure-token-overlap.js';

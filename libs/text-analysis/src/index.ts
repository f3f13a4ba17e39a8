export { termsOf } from './terms.js';

export { parseContentType, type ContentType } from './content-type.js';
export { parseRetryAfter } from './retry-after.js';

export { parseContentType, type ContentType } from './content-type.js';
export { readLimitedText, readTextStart } from './limited-body.js';
export { parseRetryAfter } from './retry-after.js';

export { parseContentType, type ContentType } from './content-type.js';
export { limitBody, readLimitedText, readErrorText } from './limited-body.js';
export { parseRetryAfter } from './retry-after.js';

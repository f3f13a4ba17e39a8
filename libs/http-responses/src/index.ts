export { parseContentType, type ContentType } from './content-type.js';
export { limitBody, readLimitedText, readErrorText, shortenError } from './limited-body.js';
export { createEventLimit, limitEvents, type EventStreamLimits } from './limited-events.js';
export { parseRetryAfter } from './retry-after.js';

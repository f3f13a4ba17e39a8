export { parseContentType, type ContentType } from './content-type.js';
export { limitBody, readLimitedText, readErrorText, shortenErrorBody } from './limited-body.js';
export { createEventLimitCheck, limitEvents, type EventStreamLimits } from './limited-events.js';
export { parseRetryAfter } from './retry-after.js';

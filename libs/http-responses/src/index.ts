export { parseContentType, type ContentType } from './content-type.js';
export { limitBodySize, readLimitedText, readErrorText, shortenErrorBody } from './limited-body.js';
export { createEventLimitCheck, limitEventSizes, type EventStreamLimits } from './limited-events.js';
export { parseRetryAfter } from './retry-after.js';

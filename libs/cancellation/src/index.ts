export { hasResolvedWithin } from './has-resolved-within.js';
export { createDeadline, linkSignals, type LinkedSignal } from './link-signals.js';
export { rejectOnAbort } from './reject-on-abort.js';
export { Semaphore } from './semaphore.js';
export { createTimedRead } from './timed-read.js';

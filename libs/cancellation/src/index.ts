export { createDeadline, linkSignals, type LinkedSignal } from './link-signals.js';
export { rejectOnAbort } from './reject-on-abort.js';

export { createDeadline, followSignals, type FollowingSignal } from './follow-signals.js';
export { rejectOnAbort } from './reject-on-abort.js';

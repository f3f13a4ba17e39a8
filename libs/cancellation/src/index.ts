export { rejectOnAbort } from './reject-on-abort.js';

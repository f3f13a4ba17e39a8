export { captureErrorOutput, refChild, unrefChild } from './ref-child.js';
export { resolveChildEntry, type ChildEntry } from './child-entry.js';

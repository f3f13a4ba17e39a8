import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage earlier in this process, which needs less memory and more processor time. A sync allocates
 * many pages of its listing but keeps only few of them. By default, V8 lets the heap grow to several times the size of
 * the objects in use.
 *
 * The flag sets no limit, so a page of the maximum size still fits. V8 reads the flag at each collection, so it can be
 * set after the start.
 */
export function reduceHeapGrowth(): void {
  setFlagsFromString('--optimize-for-size');
}

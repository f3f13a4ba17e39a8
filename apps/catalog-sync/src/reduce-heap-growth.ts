import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage earlier in this process, for less memory and more processor time. A sync allocates the pages of its
 * listing one after the other and keeps little of them. By default, V8 lets the heap grow to several times of what is kept.
 *
 * It sets no limit: a page of the maximum size still fits. V8 reads this flag at each collection, so it works after the start.
 */
export function reduceHeapGrowth(): void {
  setFlagsFromString('--optimize-for-size');
}

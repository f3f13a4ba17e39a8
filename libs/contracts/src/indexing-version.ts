/**
 * Version of the code that reads documents, splits them, and computes their profiles (the terms by which searches rank
 * documents). Increment it when the result of this code changes. The content hashes then differ, so that the next run
 * indexes every document again.
 */
export const INDEXING_VERSION = 4;

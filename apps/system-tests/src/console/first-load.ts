/** Maximum total size of the JavaScript files of the first screen, compressed with gzip, in bytes. */
export const MAX_FIRST_LOAD_BYTES = 150_000;

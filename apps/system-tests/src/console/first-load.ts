/** Maximum size of the JavaScript of the first screen, compressed with gzip. */
export const MAX_FIRST_LOAD_BYTES = 150_000;

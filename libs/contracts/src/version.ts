/** The version of Quarry, also of all packages, of the OpenAPI document and of the `User-Agent` headers. */
export const VERSION = '0.1.0';

/** The version of Quarry. All packages, the OpenAPI document and the `User-Agent` headers have it. */
export const VERSION = '0.1.0';

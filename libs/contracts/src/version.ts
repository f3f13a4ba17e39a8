/** The version of Quarry, of all its packages and of its OpenAPI document. `User-Agent` headers contain it. */
export const VERSION = '0.1.0';

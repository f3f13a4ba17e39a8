import { describe, expect, it } from 'vitest';
import { findAddressProblem } from './find-address-problem.js';

describe('findAddressProblem', () => {
  it.each([
    ['expected a public address, found 127.0.0.1, a loopback address', 'addressPrivate'],
    ["expected the name of a public host, found 'localhost', a name of a private network", 'addressPrivate'],
    ['expected a complete http or https URL, found no valid URL', 'addressInvalid'],
    ["expected a host name of letters, digits, '-' and '.', found 'a b'", 'addressInvalid'],
    ["expected an http or https URL, found 'ftp:'", 'addressScheme'],
    ['expected a URL without user name and password, found them before the @', 'addressCredentials'],
    ['expected a port for HTTP, found 25, the port of another service', 'addressPort'],
  ])('findAddressProblem returns the key of a console message for the reason %j of the API', (reason, name) => {
    expect(findAddressProblem(`must be a public address: ${reason}`)).toBe(name);
  });

  it('findAddressProblem returns undefined for a reason of the API for which the console has no message', () => {
    expect(findAddressProblem('must have at most 2048 characters when encoded, found 3000')).toBeUndefined();
  });
});

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { findServerAddressObjection } from '@quarry/safe-fetch';
import { createFieldProblem } from '../checks/field-problem.js';

const MAX_SHOWN_CHARACTERS = 40;

/**
 * Refuses a URL that cannot belong to a model server, such as the URL of a cloud metadata service. Addresses of private
 * networks and of this machine are accepted. A host name without an IP address is accepted, because the query service
 * may resolve it. Messages do not contain the URL, which may include a password.
 *
 * @param path the field of the request that contains the URL
 * @throws Problem 400
 */
export async function requireOperatorAddress(path: string, text: string): Promise<void> {
  const url = URL.parse(text);
  if (url === null) throw createFieldProblem(path, 'must be a complete http or https URL, found no valid URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const found = url.protocol.slice(0, MAX_SHOWN_CHARACTERS);
    throw createFieldProblem(path, `must be an http or https URL, found '${found}'`);
  }
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw createFieldProblem(
      path,
      'must be a URL without user name, password, query and fragment. Use apiKey for a key',
    );
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host }];
  for (const { address } of addresses) {
    const objection = findServerAddressObjection(address);
    if (objection !== undefined) {
      throw createFieldProblem(path, `must be the address of a model server, found ${address}, ${objection}`);
    }
  }
}

// Calls every operation with a client that openapi-generator has generated for typescript-fetch. Prints the sent
// requests with the statuses and bodies of their responses, as JSON. Arguments: the path of the client, the address of
// Quarry, the API key. Standard input: the requests to send, as JSON.
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const [file, address, key] = process.argv.slice(2);
const client = await import(pathToFileURL(file).href);
const apis = Object.entries(client).filter(([name]) => name.endsWith('Api'));

async function callOperation({ id, server, parameters, schema, body, isForm }) {
  const sent = {};
  const fetchApi = async (url, init) => {
    const response = await fetch(url, init);
    const { pathname, search } = new URL(url);
    Object.assign(sent, { status: response.status, method: init.method, path: pathname, query: search.slice(1) });
    if (schema !== undefined) sent.body = JSON.parse(init.body);
    sent.text = await response.clone().text();
    return response;
  };
  const configuration = new client.Configuration({ basePath: `${address}${server}`, accessToken: key, fetchApi });
  const [, Api] = apis.find(([, { prototype }]) => id in prototype);
  const { with: other, ...named } = parameters;
  const given = { ...named, ...(other === undefined ? {} : { _with: other }) };
  if (schema !== undefined)
    given[`${schema.charAt(0).toLowerCase()}${schema.slice(1)}`] = client[`${schema}FromJSON`](body);
  if (isForm) given.file = new File(['A text.'], 'a.txt', { type: 'text/plain' });
  try {
    await new Api(configuration)[id](given);
  } catch (error) {
    if (!(error instanceof client.ResponseError)) throw error;
  }
  return sent;
}

const sent = {};
for (const request of JSON.parse(await text(process.stdin))) sent[request.id] = await callOperation(request);
console.log(JSON.stringify(sent));

// Creates a datastore with a text, searches it, and asks an agent, with a client that openapi-generator has generated
// for typescript-fetch. Prints the results as JSON. Arguments: the path of the client, the address of the API, the API
// key.
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const QUESTION = 'Combien coûte le café glacé ?';
const [file, basePath, accessToken] = process.argv.slice(2);
const client = await import(pathToFileURL(file).href);
const configuration = new client.Configuration({ basePath, accessToken });
const queries = new client.QueriesApi(configuration);
const datasources = new client.DatasourcesApi(configuration);

const createDatastoreRequest = { name: 'Carte' };
const datastore = await new client.DatastoresApi(configuration).createDatastore({ createDatastoreRequest });
const upsertRequest = { documents: [{ name: 'carte', text: 'Le café glacé coûte 3 €.' }] };
const { ids } = await new client.ContentApi(configuration).upsertDocuments({
  datastoreId: datastore.id,
  upsertRequest,
});
const deadline = Date.now() + 60_000;
while ((await datasources.getDatasource({ id: ids[0] })).status !== 'synched') {
  if (Date.now() > deadline) throw new Error('expected the text to be synched within 60 s, found that it was not');
  await pause(100);
}
const datastoreQueryRequest = { query: QUESTION, topK: 1 };
const results = await queries.queryDatastore({ id: datastore.id, datastoreQueryRequest });
const createAgentRequest = { name: 'Serveur', datastoreIds: [datastore.id] };
const { id } = await new client.AgentsApi(configuration).createAgent({ createAgentRequest });
const { answer } = await queries.queryAgent({ id, agentQueryRequest: { query: QUESTION } });
const { raw } = await queries.queryAgentRaw({ id, agentQueryRequest: { query: QUESTION, streaming: true } });
const lines = (await raw.text()).split('\n');
console.log(JSON.stringify({ results: results.map(({ text }) => text), answer, lines }));

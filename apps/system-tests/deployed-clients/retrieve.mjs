// Searches a datastore with the retrievers of LangChain. Prints the documents of each as JSON.
// Arguments: the address of Quarry, the key, the id of the datastore, the query.
import { ChaindeskRetriever } from '@langchain/community/retrievers/chaindesk';
import { DataberryRetriever } from '@langchain/community/retrievers/databerry';

const [address, apiKey, datastoreId, query] = process.argv.slice(2);

// The Chaindesk retriever has a fixed address, so this function redirects its requests to Quarry.
const send = globalThis.fetch;
globalThis.fetch = (url, init) => send(String(url).replace('https://app.chaindesk.ai', address), init);

const retrievers = {
  chaindesk: new ChaindeskRetriever({ datastoreId, apiKey }),
  chaindeskOne: new ChaindeskRetriever({ datastoreId, apiKey, topK: 1 }),
  databerry: new DataberryRetriever({ datastoreUrl: `${address}/query/${datastoreId}`, apiKey }),
};
const found = {};
for (const [name, retriever] of Object.entries(retrievers)) found[name] = await retriever.invoke(query);
console.log(JSON.stringify(found));

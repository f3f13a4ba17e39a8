import { createExampleListing } from './listing.js';
import { makeProducts } from './products.js';

const count = Number(process.env['PRODUCTS'] ?? 1_000);
const port = Number(process.env['PORT'] ?? 4000);
const products = makeProducts(count);

const server = createExampleListing(() => products, process.env['API_KEY']).listen(port, () => {
  process.stdout.write(`${count} products at http://localhost:${port}/items\n`);
});
server.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});

import { startEmbeddedPostgres } from '../start-embedded-postgres.js';

// A process that starts a server and never stops it. Arguments: the directory.
const directory = process.argv[3] ?? '';
const { url } = await startEmbeddedPostgres({ directory });
process.stdout.write(`${url}\n`);
setInterval(() => undefined, 60_000);

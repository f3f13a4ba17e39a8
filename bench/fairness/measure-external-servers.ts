import type { CreateDatasourceRequest } from '@quarry/client';
import { setTimeout as wait } from 'node:timers/promises';
import { computePercentile } from '../quarry/percentile.js';
import {
  type ExternalServer,
  type Receiver,
  startDrippingServer,
  startHangingReceiver,
  startFastListing,
  startFastReceiver,
  startFastSite,
  startSlowSite,
} from './external-servers.js';
import type { Stack } from './start-stack.js';
import { createTenant, upsertUniformDocuments, type Tenant, waitUntilSynched } from './tenants.js';

/** Target: maximum milliseconds that slow servers of another tenant add to the time of a listing, page or event. */
const MAX_EXTRA_MS = 10_000;
/** Time in milliseconds after which the benchmark fails if a listing, page or event is not complete. */
const MAX_ROUND_MS = 300_000;
/** Number of rounds that are measured before the slow servers start. A round is one listing, one page and one event. */
const ROUNDS_ALONE = 5;
/** Time between two rounds while servers are slow, in milliseconds. */
const INTERVAL_MS = 2_000;
const DRIPPING_LISTINGS = 8;
/** Response times of the slow sites, in milliseconds. The last one exceeds the timeout of the crawler. */
const SITE_DELAYS_MS = [2_000, 4_000, 6_000, 8_000, 10_000, 12_000, 14_000, 14_500, 20_000, 60_000];
const EVENTS = 200;

const KINDS = ['listing', 'page', 'event'] as const;
type Kind = (typeof KINDS)[number];
type Times = Readonly<Record<Kind, number>>;

export interface ExternalServerFigures {
  readonly rounds: number;
  readonly aloneMs: Times;
  readonly duringMs: Times;
  readonly slowestMs: Times;
  /**
   * Highest number of failed attempts of one sync job for a listing of the slow tenant. Source: the field
   * `run.lastError.attempt` of the listings' datasources.
   */
  readonly attempts: number;
}

/**
 * Measures the times that a listing, a page and a webhook event of one tenant take. Measures first without load, and
 * then while all servers of another tenant are slow.
 */
export async function measureExternalServers(stack: Stack, seconds: number): Promise<ExternalServerFigures> {
  const servers: ExternalServer[] = [];
  const start = async <Started extends ExternalServer>(starting: Promise<Started>): Promise<Started> => {
    const server = await starting;
    servers.push(server);
    return server;
  };
  try {
    const visitor = await createTenant(stack, 'visitor');
    const receiver = await start(startFastReceiver());
    await visitor.client.createWebhook({ url: receiver.url, events: ['datasource.synched'] });
    const servers = { listing: await start(startFastListing()), site: await start(startFastSite()), receiver };
    const alone = [];
    for (let round = 0; round < ROUNDS_ALONE; round += 1) alone.push(await measureTenantRound(visitor, servers));
    const slow = await startSlowTenant(stack, start);
    const begun = performance.now();
    const during = [];
    while (performance.now() - begun < seconds * 1_000) {
      during.push(await measureTenantRound(visitor, servers));
      await wait(INTERVAL_MS);
    }
    return {
      rounds: during.length,
      aloneMs: aggregateTimesOfEachKind(alone, (times) => computePercentile(times, 50)),
      duringMs: aggregateTimesOfEachKind(during, (times) => computePercentile(times, 50)),
      slowestMs: aggregateTimesOfEachKind(during, (times) => Math.max(...times)),
      attempts: await findMaxFailedListingAttempts(slow),
    };
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}

interface Servers {
  readonly listing: ExternalServer;
  readonly site: ExternalServer;
  readonly receiver: Receiver;
}

/**
 * Creates a datasource for a listing, a datasource for a page, and a document at the same time.
 *
 * @returns the milliseconds until the listing and the page are indexed, and until the event of the document is received
 */
async function measureTenantRound(tenant: Tenant, { listing, site, receiver }: Servers): Promise<Times> {
  const { client, datastore: datastoreId } = tenant;
  const name = crypto.randomUUID();
  const begun = performance.now();
  const measureDuration = async (work: Promise<void>): Promise<number> => {
    await work;
    return performance.now() - begun;
  };
  const synchronize = async (request: CreateDatasourceRequest): Promise<void> => {
    const { id } = await client.createDatasource(request);
    await waitUntilSynched(tenant, id, MAX_ROUND_MS);
  };
  const ofTenant = { datastoreId, name };
  const receiveEvent = async (): Promise<void> => {
    const document = `document-${name}`;
    await client.upsertDocuments(datastoreId, [{ name: document, text: 'The shop is closed on Mondays.' }]);
    while (!receiver.bodies.some((body) => body.includes(document))) {
      if (performance.now() - begun > MAX_ROUND_MS)
        throw new Error(`expected a webhook event for ${document} in ${MAX_ROUND_MS} ms, found none`);
      await wait(20);
    }
  };
  const [listingMs, pageMs, eventMs] = await Promise.all([
    measureDuration(synchronize({ ...ofTenant, type: 'item_listing', config: { url: `${listing.url}/items` } })),
    measureDuration(synchronize({ ...ofTenant, type: 'web_page', config: { source_url: `${site.url}/${name}` } })),
    measureDuration(receiveEvent()),
  ]);
  return { listing: listingMs, page: pageMs, event: eventMs };
}

/**
 * Creates a tenant whose listings, sites and webhook receiver are slow. Waits until at least one listing, one site and
 * the receiver have open connections.
 */
async function startSlowTenant(
  stack: Stack,
  start: (starting: Promise<ExternalServer>) => Promise<ExternalServer>,
): Promise<Tenant> {
  const tenant = await createTenant(stack, 'slow');
  const { client, datastore: datastoreId } = tenant;
  const receiver = await start(startHangingReceiver());
  await client.createWebhook({ url: receiver.url, events: ['datasource.synched'] });
  await upsertUniformDocuments(tenant, EVENTS);
  const listings: ExternalServer[] = [];
  for (let at = 0; at < DRIPPING_LISTINGS; at += 1)
    listings.push(await start(startDrippingServer(at % 2 === 0 ? '' : 'headers')));
  const sites: ExternalServer[] = [];
  for (const delayMs of SITE_DELAYS_MS) sites.push(await start(startSlowSite(delayMs)));
  for (const [at, { url }] of listings.entries()) {
    const config = { url: `${url}/items` };
    await client.createDatasource({ datastoreId, type: 'item_listing', name: `listing ${at}`, config });
  }
  for (const [at, { url }] of sites.entries()) {
    const config = { source_url: `${url}/` };
    await client.createDatasource({ datastoreId, type: 'web_site', name: `site ${at}`, config });
  }
  const isOccupied = (servers: readonly ExternalServer[]): boolean =>
    servers.some((server) => server.countConnections() > 0);
  while (!isOccupied(listings) || !isOccupied(sites) || !isOccupied([receiver])) await wait(20);
  return tenant;
}

async function findMaxFailedListingAttempts({ client, datastore: datastoreId }: Tenant): Promise<number> {
  const { items } = await client.listDatasources({ datastoreId, type: 'item_listing', limit: 100 });
  return Math.max(0, ...items.map(({ run }) => run?.lastError?.attempt ?? 0));
}

function aggregateTimesOfEachKind(rounds: readonly Times[], compute: (times: readonly number[]) => number): Times {
  const [listing, page, event] = KINDS.map((kind) => compute(rounds.map((times) => times[kind])));
  return { listing: listing ?? NaN, page: page ?? NaN, event: event ?? NaN };
}

export function formatExternalServerFigures({
  rounds,
  aloneMs,
  duringMs,
  slowestMs,
  attempts,
}: ExternalServerFigures): readonly string[] {
  return [
    `${DRIPPING_LISTINGS} dripping listings, ${SITE_DELAYS_MS.length} slow sites and a hanging receiver of another tenant; ${rounds} rounds:`,
    ...KINDS.map((kind) => {
      const ratio = (slowestMs[kind] / aloneMs[kind]).toFixed(1);
      const figures = `alone ${formatDuration(aloneMs[kind])}, during ${formatDuration(duringMs[kind])}, slowest ${formatDuration(slowestMs[kind])}`;
      return `  ${kind.padEnd(8)} ${figures} (${ratio} times; at most ${formatDuration(aloneMs[kind] + MAX_EXTRA_MS)})`;
    }),
    `  failed attempts of a dripping listing  ${attempts}`,
  ];
}

function formatDuration(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}

/** Lists the missed targets. If no round was measured while servers were slow, all targets are missed. */
export function findMissedExternalServerTargets({
  rounds,
  aloneMs,
  slowestMs,
}: ExternalServerFigures): readonly string[] {
  return KINDS.filter((kind) => rounds === 0 || !(slowestMs[kind] <= aloneMs[kind] + MAX_EXTRA_MS)).map(
    (kind) => `a ${kind} beside slow servers`,
  );
}

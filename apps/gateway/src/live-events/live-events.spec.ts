import { datasourceStatusQueue, type StatusChanged } from '@quarry/contracts';
import { createClient, type QuarryClient } from '@quarry/client';
import { eq, sql } from 'drizzle-orm';
import { startConsumers } from '../consumers.js';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { datasources } from '../database/tables/datasources.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { createDatastore, createSite, uploadText } from '../testing/create-resources.js';
import { readSetCookie, createApiWithCookie } from '../testing/sign-in.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';

let first: TestGateway;
let second: TestGateway;
let tenant: Tenant;
let datastore: string;

beforeAll(async () => {
  first = await startTestGateway();
  second = await startTestGateway({ database: first.context.database });
}, 60_000);
afterAll(async () => {
  await second.close();
  await first.close();
});
beforeEach(async () => {
  tenant = await first.createTenant();
  datastore = await createDatastore(tenant.api);
});

interface Event {
  readonly name: string;
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface OpenStream {
  readonly events: Event[];
  readonly response: Response;
  hasEnded: boolean;
  readonly close: () => void;
}

/** Opens an event stream, and collects its events in the returned object. */
async function openStream(
  path: string,
  {
    gateway = second,
    key = tenant.key,
    cookie = '',
    lastEventId = '',
  }: { gateway?: TestGateway; key?: string; cookie?: string; lastEventId?: string } = {},
): Promise<OpenStream> {
  const leaving = new AbortController();
  const credential: Record<string, string> = cookie === '' ? { Authorization: `Bearer ${key}` } : { Cookie: cookie };
  const headers = { ...credential, ...(lastEventId && { 'Last-Event-ID': lastEventId }) };
  const response = await fetch(`${gateway.url}/api${path}`, { headers, signal: leaving.signal });
  const stream: OpenStream = {
    events: [],
    response,
    hasEnded: false,
    close: () => {
      leaving.abort();
    },
  };
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    const bytes: AsyncIterable<Uint8Array> | undefined = response.body ?? undefined;
    let text = '';
    for await (const chunk of bytes ?? []) {
      const frames = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
      text = frames.pop() ?? '';
      stream.events.push(...frames.flatMap(parseFrame));
    }
    stream.hasEnded = true;
  };
  void read().catch(() => undefined);
  onTestFinished(stream.close);
  return stream;
}

function parseFrame(frame: string): readonly Event[] {
  const [, id = '', name = '', data = ''] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
  return name === '' ? [] : [{ id, name, data: JSON.parse(data) as Event['data'] }];
}

const listEventNames = ({ events }: OpenStream): string[] => events.map(({ name }) => name);
const listStatuses = ({ events }: OpenStream): unknown[] => events.map(({ data }) => data['status']);

describe('GET /api/datasources/{id}/events', () => {
  it('the stream of a datasource sends the current state, then each change that another gateway made', async () => {
    const id = await createSite(tenant.api, datastore);
    const stream = await openStream(`/datasources/${id}/events`);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    await expectEventually(() => listEventNames(stream)).toEqual(['status']);
    const read = await tenant.api.get(`/api/datasources/${id}`);
    expect(read.body).toMatchObject(stream.events[0]?.data ?? {});
    await tenant.api.post(`/api/datasources/${id}/cancel`);
    await expectEventually(() => listStatuses(stream)).toEqual(['pending', 'error']);
    await tenant.api.patch(`/api/datasources/${id}`).send({ name: 'renamed' });
    await expectEventually(() => listEventNames(stream)).toEqual(['status', 'status', 'progress']);
    expect(stream.events[2]?.data).toMatchObject({ name: 'renamed' });
  });

  it('the stream of a datasource names an event `status` if the status differs from the last status in this stream, although an earlier stream received the same status', async () => {
    const id = await createSite(tenant.api, datastore);
    const isThis = eq(datasources.id, id);
    const earlier = await openStream(`/datasources/${id}/events`);
    await expectEventually(() => listStatuses(earlier)).toEqual(['pending']);
    await tenant.api.patch(`/api/datasources/${id}`).send({ name: 'first' });
    await expectEventually(() => earlier.events).toHaveLength(2);
    earlier.close();
    await first.gateway.db.update(datasources).set({ status: 'error' }).where(isThis);
    const stream = await openStream(`/datasources/${id}/events`);
    await expectEventually(() => listStatuses(stream)).toEqual(['error']);
    await first.gateway.db.update(datasources).set({ status: 'pending' }).where(isThis);
    await tenant.api.patch(`/api/datasources/${id}`).send({ name: 'second' });
    await expectEventually(() => listStatuses(stream)).toEqual(['error', 'pending']);
    expect(listEventNames(stream)).toEqual(['status', 'status']);
  });

  it('the stream of a datasource sends `removed` and ends when the datasource or its datastore is deleted', async () => {
    const [one, other] = [await createSite(tenant.api, datastore), await uploadText(tenant.api, datastore)];
    const streams = [await openStream(`/datasources/${one}/events`), await openStream(`/datasources/${other}/events`)];
    for (const stream of streams) await expectEventually(() => stream.events).toHaveLength(1);
    await tenant.api.delete(`/api/datasources/${one}`);
    await expectEventually(() => streams[0]?.hasEnded).toBe(true);
    expect(streams[0]?.events.at(-1)).toMatchObject({ name: 'removed', data: { id: one, datastoreId: datastore } });
    expect(streams[1]?.hasEnded).toBe(false);
    await tenant.api.delete(`/api/datastores/${datastore}`);
    await expectEventually(() => streams[1]?.hasEnded).toBe(true);
    expect(streams[1]?.events.at(-1)).toMatchObject({ name: 'removed', data: { id: other } });
  });

  it('a request for the stream of a datasource or datastore gets 404 if its API key belongs to another organization or is limited to another datastore', async () => {
    const id = await createSite(tenant.api, datastore);
    const { key } = await tenant.addKey({ datastoreIds: [await createDatastore(tenant.api)] });
    for (const other of [(await first.createTenant()).key, key]) {
      for (const path of [`/datasources/${id}/events`, `/datastores/${datastore}/events`])
        expect((await openStream(path, { key: other })).response.status).toBe(404);
    }
  });

  it('the stream of a datasource ends when the API key that opened the stream is revoked', async () => {
    const id = await createSite(tenant.api, datastore);
    const { key, id: keyId } = await tenant.addKey({});
    const stream = await openStream(`/datasources/${id}/events`, { key });
    const other = await openStream(`/datasources/${id}/events`);
    for (const each of [stream, other]) await expectEventually(() => each.events).toHaveLength(1);
    await tenant.api.delete(`/api/api-keys/${keyId}`);
    await expectEventually(() => stream.hasEnded).toBe(true);
    expect(other.hasEnded).toBe(false);
    expect((await openStream(`/datasources/${id}/events`, { key })).response.status).toBe(401);
  });

  it.each(['sign-out', 'another sign-in'])(
    'the stream of a datasource ends when the session that opened the stream ends by %s',
    async (reason) => {
      const id = await createSite(tenant.api, datastore);
      const cookies = await Promise.all(
        [1, 2].map(async () =>
          readSetCookie((await first.createApi().post('/api/session').send({ apiKey: tenant.key })).headers),
        ),
      );
      const [cookie = ''] = cookies;
      const [stream, other] = await Promise.all(
        cookies.map(async (each) => openStream(`/datasources/${id}/events`, { cookie: each })),
      );
      for (const each of [stream, other]) await expectEventually(() => each?.events).toHaveLength(1);
      const page = createApiWithCookie(first, cookie);
      if (reason === 'sign-out') await page.delete('/api/session').expect(204);
      else await page.post('/api/session').send({ apiKey: tenant.key }).expect(200);
      await expect.poll(() => stream?.hasEnded, { timeout: 2_000 }).toBe(true);
      expect(other?.hasEnded).toBe(false);
      expect((await openStream(`/datasources/${id}/events`, { cookie })).response.status).toBe(401);
    },
  );

  it('a HEAD request for the stream of a datasource gets a response with the headers only, which ends immediately', async () => {
    const id = await createSite(tenant.api, datastore);
    expect((await tenant.api.head(`/api/datasources/${id}/events`)).status).toBe(200);
  });
});

describe('GET /api/datastores/{id}/events', () => {
  it('the stream of a datastore sends `reset`, and then an event for each new or removed datasource of this datastore, but not of others', async () => {
    const stream = await openStream(`/datastores/${datastore}/events`);
    await expectEventually(() => listEventNames(stream)).toEqual(['reset']);
    await createSite(tenant.api, await createDatastore(tenant.api));
    const id = await createSite(tenant.api, datastore);
    await expectEventually(() => listEventNames(stream)).toEqual(['reset', 'status']);
    expect(stream.events[1]?.data).toMatchObject({ id, status: 'pending' });
    await tenant.api.delete(`/api/datasources/${id}`);
    await expectEventually(() => listEventNames(stream)).toEqual(['reset', 'status', 'removed']);
  });

  it('the stream of a datastore resumes on any gateway after the event that `Last-Event-ID` names, and sends `reset` if the id is unknown', async () => {
    const watching = [
      await openStream(`/datastores/${datastore}/events`),
      await openStream(`/datastores/${datastore}/events`, { gateway: first }),
    ];
    const [site, removed] = [await createSite(tenant.api, datastore), await uploadText(tenant.api, datastore)];
    for (const stream of watching) await expectEventually(() => stream.events).toHaveLength(3);
    const lastEventId = watching[0]?.events.at(-1)?.id ?? '';
    for (const stream of watching) stream.close();
    await tenant.api.post(`/api/datasources/${site}/cancel`);
    await tenant.api.delete(`/api/datasources/${removed}`);
    const resumed = await openStream(`/datastores/${datastore}/events`, { gateway: first, lastEventId });
    await expectEventually(() => resumed.events.at(-1)).toBeDefined();
    await expectEventually(() => listStatuses(resumed)).toContain('error');
    await expectEventually(() => listEventNames(resumed)).toContain('removed');
    expect(listEventNames(resumed)).not.toContain('reset');
    const late = await openStream(`/datastores/${datastore}/events`, { lastEventId: '17' });
    await expectEventually(() => listEventNames(late)).toContain('reset');
  });

  it('if the gateway loses its connection for change notifications, the stream of a datastore sends `reset` and then continues', async () => {
    const stream = await openStream(`/datastores/${datastore}/events`);
    const site = await createSite(tenant.api, datastore);
    const single = await openStream(`/datasources/${site}/events`);
    await expectEventually(() => listEventNames(stream)).toEqual(['reset', 'status']);
    await expectEventually(() => single.events).toHaveLength(1);
    await first.gateway.db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'quarry-gateway-listener' and datname = current_database()`);
    await expectEventually(() => listEventNames(stream)).toEqual(['reset', 'status', 'reset']);
    const id = await uploadText(tenant.api, datastore);
    await expectEventually(() => stream.events.at(-1)?.data).toMatchObject({ id });
    await tenant.api.patch(`/api/datasources/${site}`).send({ name: 'renamed' });
    await expectEventually(() => single.events.at(-1)?.data['name']).toBe('renamed');
  });
});

describe('the connection of a live event stream', () => {
  it('a client that does not read its event stream does not delay other event streams', async () => {
    const id = await createSite(tenant.api, datastore);
    const { port, hostname } = new URL(second.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.pause();
    socket.write(
      `GET /api/datasources/${id}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\n\r\n`,
    );
    const stream = await openStream(`/datasources/${id}/events`);
    for (const name of ['one', 'two', 'three']) {
      await tenant.api.patch(`/api/datasources/${id}`).send({ name });
      await expectEventually(() => stream.events.at(-1)?.data['name']).toBe(name);
    }
  });

  it('if an API key has 50 open event streams, a request for another stream is refused with 429 and Retry-After', async () => {
    const id = await createSite(tenant.api, datastore);
    const streams: OpenStream[] = [];
    for (let count = 0; count < 50; count += 1) streams.push(await openStream(`/datasources/${id}/events`));
    for (const stream of streams) await expectEventually(() => stream.events).toHaveLength(1);
    const { response } = await openStream(`/datasources/${id}/events`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '15']);
    const { key } = await tenant.addKey({});
    expect((await openStream(`/datasources/${id}/events`, { key })).response.status).toBe(200);
    streams[0]?.close();
    await expectEventually(async () => (await openStream(`/datasources/${id}/events`)).response.status).toBe(200);
  });

  it('a gateway that stops ends its event streams and refuses new event streams', async () => {
    const stopping = await startTestGateway({ database: first.context.database });
    const id = await createSite(tenant.api, datastore);
    const stream = await openStream(`/datasources/${id}/events`, { gateway: stopping });
    await expectEventually(() => stream.events).toHaveLength(1);
    await stopping.gateway.liveEvents.close();
    await expectEventually(() => stream.hasEnded).toBe(true);
    expect((await openStream(`/datasources/${id}/events`, { gateway: stopping })).response.status).toBe(503);
    await stopping.close();
  });

  it('the client library reads an event stream until the datasource is removed', async () => {
    const id = await createSite(tenant.api, datastore);
    const quarry: QuarryClient = createClient({ baseUrl: `${second.url}/api`, apiKey: tenant.key });
    const events: string[] = [];
    for await (const event of quarry.watchDatasource(id)) {
      events.push(event.type);
      if (events.length === 1) await quarry.cancelDatasource(id);
      if (events.length === 2) await quarry.deleteDatasource(id);
    }
    expect(events).toEqual(['status', 'status', 'removed']);
  });
});

it('if one gateway consumes a status event of a worker, another gateway sends the new status on its event streams', async () => {
  const consumer = startConsumers(first.gateway);
  onTestFinished(() => consumer.close(1_000));
  const id = await uploadText(tenant.api, datastore);
  const stream = await openStream(`/datasources/${id}/events`);
  await expectEventually(() => listStatuses(stream)).toEqual(['pending']);
  const { db } = first.gateway;
  const [row] = await db.select({ runId: datasources.runId }).from(datasources).where(eq(datasources.id, id));
  const payload = { datasourceId: id, runId: row?.runId, sequence: 1, status: 'running', at: new Date().toISOString() };
  await first.queues.createProducer(datasourceStatusQueue).add('status-changed', payload as StatusChanged);
  await first.queues.runAllJobs();
  await expectEventually(() => listStatuses(stream)).toEqual(['pending', 'running']);
});

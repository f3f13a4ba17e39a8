import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { expectEventually } from '../testing/expect-eventually.js';
import { listBlobs, listDiscardedBlobs } from '../testing/blobs.js';
import { DEFAULT_LIMITS } from '../limits.js';
import { publishAndListIngestionJobs } from '../testing/jobs.js';
import { getStringField } from '../testing/create-resources.js';
import { TEST_SETTINGS } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const FILE_BYTES = 400_000;
const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';

const used = setUpTenant({ settings: { ...TEST_SETTINGS, limits: { ...DEFAULT_LIMITS, fileBytes: FILE_BYTES } } });

const postFile = () =>
  used.tenant.api.post('/api/datasources').field('type', 'file').field('datastoreId', used.datastore);
const uploadToDatastore = (id = used.datastore) => used.tenant.api.post(`/api/external/datastores/file-upload/${id}`);

async function listJobs(): Promise<readonly object[]> {
  return (await publishAndListIngestionJobs(used.test, used.tenant.organizationId)).map(({ payload }) => payload);
}

const listOwnBlobs = () => listBlobs(used.test, used.tenant.organizationId);
const listReservedBlobs = () => listDiscardedBlobs(used.test, used.tenant.organizationId);

describe('POST /api/datasources with a file', () => {
  it('POST /api/datasources with a file creates a datasource in the documented shape, stores the file and enqueues its job', async () => {
    const response = await postFile().attach('file', Buffer.from('# Hello'), 'hello.md');
    expect(response.status).toBe(201);
    const id = getStringField(response, 'id');
    expect(response.body).toEqual({
      id,
      type: 'file',
      name: 'hello.md',
      status: 'pending',
      groupId: id,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown,
      createdAt: getStringField(response, 'updatedAt'),
      lastSynch: null,
      config: { fileName: 'hello.md', mimeType: 'text/markdown', fileSize: 7 },
      datastoreId: used.datastore,
      schedule: null,
      nextSyncAt: null,
      consecutiveFailures: 0,
      content: { documents: 0, fragments: 0, storedTokens: 0 },
      customId: null,
      run: expect.objectContaining({ stage: null, progress: null, startedAt: null, endedAt: null }) as unknown,
      error: null,
      failureReasons: [],
    });
    const [blobKey = ''] = listOwnBlobs();
    expect(await used.test.blobs.readText(blobKey)).toBe('# Hello');
    expect(blobKey).toMatch(new RegExp(`^${used.tenant.organizationId}/${used.datastore}/${id}/[\\w-]+$`));
    expect(await listJobs()).toMatchObject([
      {
        datastoreId: used.datastore,
        datasourceId: id,
        datasourceType: 'file',
        documentKey: id,
        name: 'hello.md',
        mimeType: 'text/markdown',
        blobKey,
        splitting: { maxTokens: 512, overlapTokens: 64 },
      },
    ]);
    expect(await listReservedBlobs()).toEqual([]);
  });

  it('POST /api/datasources accepts form fields that follow the file', async () => {
    const response = await used.tenant.api
      .post('/api/datasources')
      .attach('file', Buffer.from('a,b'), 'table.csv')
      .field('fileName', 'prices.csv')
      .field('custom_id', 'tenant-7')
      .field('datastoreId', used.datastore)
      .field('type', 'file');
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ name: 'prices.csv', customId: 'tenant-7', datastoreId: used.datastore });
    expect(await listJobs()).toMatchObject([{ name: 'prices.csv', customId: 'tenant-7', mimeType: 'text/csv' }]);
  });

  it('POST /api/datasources accepts file names with characters of any script, and removes directories from file names', async () => {
    const response = await postFile().attach('file', Buffer.from('x'), '../Ünïcode 東京.txt');
    expect(response.body).toMatchObject({ name: 'Ünïcode 東京.txt' });
    const renamed = await postFile().field('fileName', 'a/b\\c\u0007.txt').attach('file', Buffer.from('x'), 'x.txt');
    expect(renamed.body).toMatchObject({ name: 'c.txt' });
  });

  it('POST /api/datasources determines the type of the file from its name if the client sends no type', async () => {
    const response = await postFile().attach('file', Buffer.from('# x'), {
      filename: 'notes.md',
      contentType: 'application/octet-stream',
    });
    expect(response.body).toMatchObject({ config: { mimeType: 'text/markdown' } });
  });

  it.each([
    ['a text field in place of the file', (r: Upload) => r.field('file', 'not a file'), 400, 'file_missing'],
    ['no file', (r: Upload) => r, 400, 'file_missing'],
    ['an empty file', (r: Upload) => r.attach('file', Buffer.alloc(0), 'a.txt'), 400, 'file_empty'],
    ['an empty PDF', (r: Upload) => r.attach('file', Buffer.alloc(0), 'a.pdf'), 400, 'file_empty'],
    ['an image', (r: Upload) => r.attach('file', Buffer.from('x'), 'a.png'), 415, 'unsupported_media_type'],
    [
      'a name without a known extension',
      (r: Upload) => r.attach('file', Buffer.from('x'), describeBlob('a.bin')),
      415,
      'unsupported_media_type',
    ],
    ['an image with the extension pdf', (r: Upload) => r.attach('file', PNG, 'a.pdf'), 415, 'unsupported_media_type'],
    ['a file in another field', (r: Upload) => r.attach('upload', Buffer.from('x'), 'a.txt'), 400, 'malformed_request'],
    [
      'two files',
      (r: Upload) => r.attach('file', Buffer.from('x'), 'a.txt').attach('file', Buffer.from('y'), 'b.txt'),
      400,
      'malformed_request',
    ],
    [
      'a file over the limit',
      (r: Upload) => r.attach('file', Buffer.alloc(FILE_BYTES + 1, 'x'), 'a.txt'),
      413,
      'file_too_large',
    ],
    [
      'a form over the limit',
      (r: Upload) => r.attach('file', Buffer.alloc(2_000_000, 'x'), 'a.txt'),
      413,
      'file_too_large',
    ],
    [
      'a custom id that is too long',
      (r: Upload) => r.field('custom_id', 'x'.repeat(256)).attach('file', Buffer.from('x'), 'a.txt'),
      400,
      'validation_failed',
    ],
    [
      'a custom id twice',
      (r: Upload) => r.field('custom_id', 'a').field('custom_id', 'b').attach('file', Buffer.from('x'), 'a.txt'),
      400,
      'validation_failed',
    ],
  ])('POST /api/datasources refuses a form with %s, and stores nothing', async (_what, send, status, code) => {
    const response = await send(postFile());
    expect([response.status, getStringField(response, 'code')]).toEqual([status, code]);
    expect(listOwnBlobs()).toEqual([]);
    expect(await listReservedBlobs()).toEqual([]);
    expect(await listJobs()).toEqual([]);
  });

  it.each([
    ['two files', ['file', 'file'], 'a second file'],
    ['a file in another field', ['upload'], 'a file in the field upload'],
  ])('the refusal of a form with %s states what the form can contain', async (_what, names, found) => {
    const form = postFile();
    for (const name of names) void form.attach(name, Buffer.from('x'), 'a.txt');
    expect(getStringField(await form, 'detail')).toBe(
      `A form can contain one file, in the field file; found ${found}.`,
    );
  });

  it('POST /api/datasources refuses a file that is too large, and the message contains the limit and the size of the file', async () => {
    const response = await postFile().attach('file', Buffer.alloc(FILE_BYTES + 1, 'x'), 'a.txt');
    expect(getStringField(response, 'detail')).toMatch(
      /maximum file size is 400000 bytes; found a form of 400\d\d\d bytes/,
    );
  });

  it.each([
    [{ datastoreId: UNKNOWN_ID, type: 'file' }, 404, 'not_found'],
    [{ datastoreId: 'no id', type: 'file' }, 404, 'not_found'],
    [{ type: 'file' }, 400, 'validation_failed'],
    [{ datastoreId: 'own' }, 400, 'validation_failed'],
    [{ datastoreId: 'own', type: 'web_page' }, 400, 'validation_failed'],
  ])(
    'POST /api/datasources refuses the form fields %j, whether they precede or follow the file, and stores nothing',
    async (fields, status, code) => {
      for (const isFileFirst of [true, false]) {
        const form = used.tenant.api.post('/api/datasources');
        const attachFile = () => form.attach('file', Buffer.from('x'), 'a.txt');
        if (isFileFirst) void attachFile();
        for (const [name, value] of Object.entries(fields))
          void form.field(name, value === 'own' ? used.datastore : value);
        if (!isFileFirst) void attachFile();
        const response = await form;
        expect([response.status, getStringField(response, 'code')]).toEqual([status, code]);
        expect(listOwnBlobs()).toEqual([]);
        expect(await listReservedBlobs()).toEqual([]);
      }
    },
  );

  it.each([
    ['multipart/form-data', 'no boundary'],
    ['multipart/form-data; boundary=', 'an empty boundary'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbroken off',
    ],
    ['multipart/form-data; boundary=x', 'nothing of the kind'],
  ])('POST /api/datasources refuses a form that cannot be read (%s)', async (type, body) => {
    const response = await used.tenant.api.post('/api/datasources').set('Content-Type', type).send(body);
    expect([response.status, getStringField(response, 'code')]).toEqual([400, 'malformed_request']);
    expect(listOwnBlobs()).toEqual([]);
  });

  it('POST /api/datasources returns 503, not 400, if the blob store fails before the whole file has arrived', async () => {
    used.test.blobs.failure = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const before = used.test.blobs.failures;
    const socket = uploadFirstHalf();
    await expectEventually(() => used.test.blobs.failures).toBe(before + 1);
    used.test.blobs.failure = undefined;
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
    socket.write(SECOND_HALF);
    await expectEventually(() => answer).toMatch(/^HTTP\/1.1 503 [^]*The blob store failed to store the file/);
    socket.destroy();
    expect(used.test.logged.join('')).toContain('no space left');
  });

  it('POST /api/datasources stores nothing when the client disconnects during an upload', async () => {
    const socket = uploadFirstHalf();
    await expectEventually(listReservedBlobs).toHaveLength(1);
    socket.destroy();
    await once(socket, 'close');
    await expectEventually(listReservedBlobs).toEqual([]);
    expect(listOwnBlobs()).toEqual([]);
    expect(await listJobs()).toEqual([]);
  });

  it.each([
    ['ENOSPC', 5_000, 'no space left on /secret/path'],
    // The blob store fails before the whole file was read.
    ['ENOSPC', FILE_BYTES, 'no space left on /secret/path'],
    ['ECONNREFUSED', 5_000, 'connect ECONNREFUSED secret:9000'],
  ])(
    'if the blob store fails with %s, POST /api/datasources with a file of %i bytes returns 503, names the blob store and logs the cause',
    async (code, size, message) => {
      used.test.blobs.failure = Object.assign(new Error(message), { code });
      const response = await postFile().attach('file', Buffer.alloc(size, 'x'), 'a.txt');
      used.test.blobs.failure = undefined;
      expect([response.status, getStringField(response, 'code')]).toEqual([503, 'dependency_unavailable']);
      expect(getStringField(response, 'detail')).toMatch(/^The blob store /);
      expect(response.text).not.toContain('secret');
      expect(used.test.logged.join('')).toContain(message);
      expect(await listReservedBlobs()).toEqual([]);
    },
  );
});

describe('POST /api/external/datastores/file-upload/{datastoreId}', () => {
  it('POST /file-upload/{datastoreId} creates a datasource from a file, like POST /api/datasources', async () => {
    const response = await uploadToDatastore().field('custom_id', 'c1').attach('file', Buffer.from('x'), 'a.txt');
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      type: 'file',
      customId: 'c1',
      datastoreId: used.datastore,
      status: 'pending',
    });
  });

  it('POST /file-upload/{datastoreId} refuses a body that is not a form, and an unknown datastore', async () => {
    const json = await uploadToDatastore().send({ file: 'x' });
    expect([json.status, getStringField(json, 'code')]).toEqual([415, 'unsupported_media_type']);
    expect((await uploadToDatastore(UNKNOWN_ID).attach('file', Buffer.from('x'), 'a.txt')).status).toBe(404);
    expect(listOwnBlobs()).toEqual([]);
  });
});

type Upload = ReturnType<typeof postFile>;

const FIRST_HALF = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nthe first half';
const SECOND_HALF = ', the second half\r\n--x--\r\n';

/** Sends the first half of a form with a file. @returns the open connection, on which the second half can follow */
function uploadFirstHalf(): Socket {
  const { hostname, port } = new URL(used.test.url);
  const socket = connect(Number(port), hostname);
  const head = [
    `POST /api/external/datastores/file-upload/${used.datastore} HTTP/1.1`,
    'Host: quarry',
    `Authorization: Bearer ${used.tenant.key}`,
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${FIRST_HALF.length + SECOND_HALF.length}`,
    '',
    FIRST_HALF,
  ];
  socket.write(head.join('\r\n'));
  return socket;
}

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');

function describeBlob(filename: string): { filename: string; contentType: string } {
  return { filename, contentType: 'application/octet-stream' };
}

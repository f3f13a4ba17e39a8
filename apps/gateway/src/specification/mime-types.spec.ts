import { MEDIA_TYPES } from '@quarry/file-types';
import { describe, expect, it } from 'vitest';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();
const ZIP = Buffer.from('504b0304', 'hex');
const OFFICE = 'application/vnd.openxmlformats-officedocument';

const TYPES: readonly (readonly [type: string, extension: string, content: Buffer])[] = [
  ['text/csv', 'csv', Buffer.from('a,b\n1,2\n')],
  ['text/plain', 'txt', Buffer.from('text')],
  ['text/markdown', 'md', Buffer.from('# text')],
  ['application/pdf', 'pdf', Buffer.from('%PDF-1.7')],
  ['application/json', 'json', Buffer.from('{}')],
  [`${OFFICE}.presentationml.presentation`, 'pptx', ZIP],
  [`${OFFICE}.wordprocessingml.document`, 'docx', ZIP],
  [`${OFFICE}.spreadsheetml.sheet`, 'xlsx', ZIP],
];

const UPLOADS = {
  'POST /datasources': () =>
    used.tenant.api.post('/api/datasources').field('type', 'file').field('datastoreId', used.datastore),
  'POST /external/datastores/file-upload/{datastoreId}': () =>
    used.tenant.api.post(`/api/external/datastores/file-upload/${used.datastore}`),
};

it('the tests of this file cover exactly the supported MIME types', () => {
  expect(TYPES.map(([type]) => type).toSorted()).toEqual(Object.values(MEDIA_TYPES).toSorted());
});

describe.each(Object.entries(UPLOADS))('Supported MIME types of %s', (_operation, post) => {
  it.each(TYPES)('a file of the MIME type %s is accepted', async (contentType, extension, content) => {
    const declared = await post().attach('file', content, { filename: `a.${extension}`, contentType });
    expect(declared.body).toMatchObject({ status: 'pending', config: { mimeType: contentType } });
    const octets = { filename: `b.${extension}`, contentType: 'application/octet-stream' };
    expect((await post().attach('file', content, octets)).body).toMatchObject({ config: { mimeType: contentType } });
  });

  it.each([
    ['application/vnd.ms-excel', 'prices.csv', Buffer.from('a,b\n1,2\n'), 'text/csv'],
    ['text/comma-separated-values', 'prices.csv', Buffer.from('a,b\n1,2\n'), 'text/csv'],
    ['application/msword', 'report.docx', ZIP, `${OFFICE}.wordprocessingml.document`],
    ['application/octet-stream', 'report', Buffer.from('%PDF-1.7'), 'application/pdf'],
    ['application/octet-stream', 'README', Buffer.from('text'), 'text/plain'],
  ])(
    'the API accepts a file with the declared type %s and the name %s, because its extension or its content has a supported type',
    async (contentType, filename, content, mimeType) => {
      const response = await post().attach('file', content, { filename, contentType });
      expect(response.body).toMatchObject({ status: 'pending', config: { mimeType } });
    },
  );

  it('the field `fileName` can give the file a supported extension, whether it precedes or follows the file', async () => {
    const file = { filename: 'blob', contentType: 'text/comma-separated-values' };
    const sent = [
      post().field('fileName', 'before.csv').attach('file', Buffer.from('a,b'), file),
      post().attach('file', Buffer.from('a,b'), file).field('fileName', 'after.csv'),
    ];
    for (const response of await Promise.all(sent)) {
      expect(response.body).toMatchObject({ status: 'pending', config: { mimeType: 'text/csv' } });
    }
  });

  it.each([
    ['image/png', 'a.png', Buffer.from('x')],
    ['text/html', 'a.html', Buffer.from('<p>')],
    ['image/png', 'picture', Buffer.from('x')],
    ['application/zip', 'a.zip', ZIP],
    ['application/msword', 'a.doc', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['application/octet-stream', 'a.bin', Buffer.from('x')],
    ['application/pdf', 'a.pdf', ZIP],
    ['text/plain', 'a.txt', Buffer.from('%PDF-1.7')],
    ['application/pdf', 'a.docx', Buffer.from('%PDF-1.7')],
  ])(
    'the API refuses a file of the type %s with the name %s if the type is unsupported or contradicts the content',
    async (contentType, filename, content) => {
      const response = await post().attach('file', content, { filename, contentType });
      expect(response.body).toMatchObject({ status: 415, code: 'unsupported_media_type' });
      for (const [type] of TYPES) expect(response.text).toContain(type);
    },
  );
});

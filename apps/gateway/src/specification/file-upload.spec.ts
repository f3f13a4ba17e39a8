import type { Test } from 'supertest';
import { describe, expect, it } from 'vitest';
import { setUpTenant } from '../testing/set-up-tenant.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';
const used = setUpTenant();
const postUpload = (id = used.datastore): Test => used.tenant.api.post(`/api/external/datastores/file-upload/${id}`);
const uploadFile = (fields: Readonly<Record<string, string>> = {}, id = used.datastore): Test =>
  Object.entries(fields)
    .reduce((form, [name, value]) => form.field(name, value), postUpload(id))
    .attach('file', Buffer.from('x'), 'manual.txt');

describe('Upload a file to a datastore', () => {
  it('the path parameter `datastoreId` of a file upload is a required string', async () => {
    expect((await uploadFile()).body).toMatchObject({ type: 'file', status: 'pending', datastoreId: used.datastore });
    for (const id of [UNKNOWN_ID, 'no-id']) expect((await uploadFile({}, id)).status).toBe(404);
  });

  it('the content type of a file upload must be multipart/form-data', async () => {
    expect((await postUpload().send({ file: 'x' })).status).toBe(415);
    expect((await postUpload().type('text/plain').send('x')).status).toBe(415);
    expect((await postUpload()).status).toBe(415);
  });

  it('the field `file` of the upload form is required and must be a file', async () => {
    expect((await postUpload().field('fileName', 'a.txt')).body).toMatchObject({ status: 400, code: 'file_missing' });
    expect((await postUpload().attach('file', Buffer.alloc(0), 'a.txt')).body).toMatchObject({ code: 'file_empty' });
  });

  it('the field `fileName` of the upload form is an optional string', async () => {
    expect((await uploadFile({ fileName: 'other.txt' })).body).toMatchObject({ name: 'other.txt' });
    expect((await uploadFile({ fileName: '' })).body).toMatchObject({ name: 'manual.txt' });
  });

  it('the field `custom_id` of the upload form is an optional string', async () => {
    expect((await uploadFile({ custom_id: 'customer-7' })).body).toMatchObject({ customId: 'customer-7' });
    expect((await uploadFile({ custom_id: 'x'.repeat(256) })).body).toMatchObject({ errors: [{ path: 'custom_id' }] });
  });

  it('a file upload ignores unknown fields', async () => {
    expect((await uploadFile({ type: 'web_page', datastoreId: UNKNOWN_ID })).status).toBe(201);
  });
});

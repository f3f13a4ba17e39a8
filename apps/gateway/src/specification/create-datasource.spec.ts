import type { Test } from 'supertest';
import { describe, expect, it } from 'vitest';
import { getStringField } from '../testing/create-resources.js';
import { expectRefusedValues, expectAcceptedValues, type SendField } from '../testing/expect-field-values.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';
const used = setUpTenant();

describe('Create a datasource, variant A: type file, multipart/form-data', () => {
  /**
   * Sends a form that creates a datasource. `fields` replaces fields of a valid form; a field with the value undefined
   * is omitted. The form has no file if `file` is false.
   */
  const sendForm = (fields: Readonly<Record<string, string | undefined>>, file = true): Test => {
    const all: typeof fields = { type: 'file', datastoreId: used.datastore, ...fields };
    let form = used.tenant.api.post('/api/datasources');
    for (const [name, value] of Object.entries(all)) if (value !== undefined) form = form.field(name, value);
    return file ? form.attach('file', Buffer.from('x'), 'manual.txt') : form;
  };

  it('the form field `file` of a new datasource is required and must be a file', async () => {
    expect((await sendForm({})).status).toBe(201);
    expect((await sendForm({}, false)).body).toMatchObject({ status: 400, code: 'file_missing' });
    expect((await sendForm({ file: 'a text' }, false)).body).toMatchObject({ status: 400, code: 'file_missing' });
    expect((await sendForm({}).attach('file', Buffer.from('y'), 'second.txt')).status).toBe(400);
    expect((await sendForm({}, false).attach('other', Buffer.from('y'), 'a.txt')).status).toBe(400);
  });

  it('the form field `type` of a new datasource is required and must be `file`', async () => {
    for (const type of [undefined, '', 'web_page', 'FILE']) {
      expect((await sendForm({ type })).body).toMatchObject({ status: 400, errors: [{ path: 'type' }] });
    }
  });

  it('the form field `datastoreId` of a new datasource is a required string', async () => {
    expect((await sendForm({ datastoreId: undefined })).body).toMatchObject({ errors: [{ path: 'datastoreId' }] });
    for (const datastoreId of [UNKNOWN_ID, 'no-id']) expect((await sendForm({ datastoreId })).status).toBe(404);
    expect((await sendForm({ datastoreId: '' })).status).toBeGreaterThanOrEqual(400);
    expect(getStringField(await sendForm({ datastoreId: used.datastore.toUpperCase() }), 'datastoreId')).toBe(
      used.datastore,
    );
  });

  it('the form field `fileName` of a new datasource is a string that names the file', async () => {
    expect((await sendForm({})).body).toMatchObject({ name: 'manual.txt' });
    expect((await sendForm({ fileName: '' })).body).toMatchObject({ name: 'manual.txt' });
    expect((await sendForm({ fileName: 'Ünïcode 東京.txt' })).body).toMatchObject({ name: 'Ünïcode 東京.txt' });
    expect((await sendForm({ fileName: '../../etc/passwd' })).body).toMatchObject({ name: 'passwd' });
  });

  it('the form field `custom_id` of a new datasource is a string by which `filters.custom_ids` selects the datasource', async () => {
    expect((await sendForm({ custom_id: 'customer-7' })).body).toMatchObject({ customId: 'customer-7' });
    expect((await sendForm({ custom_id: '' })).body).toMatchObject({ customId: null });
    expect((await sendForm({ custom_id: 'x'.repeat(255) })).status).toBe(201);
    const refused = await sendForm({ custom_id: 'x'.repeat(256) });
    expect(refused.body).toMatchObject({ status: 400, errors: [{ path: 'custom_id' }] });
  });

  it('creating a datasource with a form ignores unknown fields', async () => {
    expect((await sendForm({ isUpdateText: 'true' })).status).toBe(201);
  });
});

const describeCommonFields = (type: string, config: object) => {
  const sendField: SendField = (field, value) =>
    used.tenant.api
      .post('/api/datasources')
      .send({ type, name: 'a name', datastoreId: used.datastore, config, [field]: value });
  it('the JSON field `datastoreId` of a new datasource is required and is a string', async () => {
    await expectAcceptedValues(sendField, 'datastoreId', [used.datastore]);
    await expectRefusedValues(sendField, 'datastoreId', [undefined, null, '', 7, {}]);
    for (const unknown of [UNKNOWN_ID, 'no-id']) expect((await sendField('datastoreId', unknown)).status).toBe(404);
  });

  it(`the JSON field \`type\` of a new datasource must be \`${type}\``, async () => {
    expect((await sendField('type', type)).body).toMatchObject({ type, status: 'pending' });
    await expectRefusedValues(sendField, 'type', [undefined, null, '', 'rss', 7, 'file', [type]]);
  });

  it('the JSON field `name` of a new datasource is a string', async () => {
    expect((await sendField('name', 'Näme 東京')).body).toMatchObject({ name: 'Näme 東京' });
    await expectAcceptedValues(sendField, 'name', ['x'.repeat(500), undefined, null]);
    await expectRefusedValues(sendField, 'name', ['', 7, {}, 'x'.repeat(501)]);
  });

  it('the JSON field `config` of a new datasource is an object', async () => {
    expect((await sendField('config', config)).body).toMatchObject({ config });
    await expectRefusedValues(sendField, 'config', [undefined, null, {}, 'https://example.org', 7, []]);
  });

  it('creating a datasource with JSON ignores unknown fields', async () => {
    await expectAcceptedValues(sendField, 'priority', ['high', null, {}]);
    await expectAcceptedValues(sendField, 'config', [{ ...config, depth: 3 }]);
  });
};

const ADDRESSES = ['https://example.org', 'http://example.org:8080/a?b=c#d', 'https://münchen.example/straße'];
const NO_ADDRESSES = [null, '', 'example.org', 'ftp://example.org', 'javascript:alert(1)', 7, ['https://example.org']];

describe('Create a datasource, variant B: type web_page, application/json', () => {
  describeCommonFields('web_page', { source_url: 'https://example.org/page' });

  it('the field `config.source_url` of a web page is a string with its URL', async () => {
    const sendForm: SendField = (_field, value) =>
      used.tenant.api.post('/api/datasources').send({
        ...{ type: 'web_page', name: 'a', datastoreId: used.datastore },
        config: { source_url: value },
      });
    await expectAcceptedValues(sendForm, 'config.source_url', ADDRESSES);
    await expectRefusedValues(sendForm, 'config.source_url', [undefined, ...NO_ADDRESSES]);
  });
});

describe('Create a datasource, variant C: type web_site, application/json', () => {
  describeCommonFields('web_site', { source_url: 'https://example.org/' });

  it.each(['source_url', 'sitemap'])('the field `config.%s` of a web site is a string with a URL', async (field) => {
    const sendForm: SendField = (_field, value) =>
      used.tenant.api.post('/api/datasources').send({
        ...{ type: 'web_site', name: 'a', datastoreId: used.datastore },
        config: { [field]: value },
      });
    await expectAcceptedValues(sendForm, `config.${field}`, ADDRESSES);
    await expectRefusedValues(sendForm, `config.${field}`, NO_ADDRESSES);
  });

  it('the field `config` of a web site contains either `sitemap` or `source_url`', async () => {
    const sendForm = (config: object) =>
      used.tenant.api
        .post('/api/datasources')
        .send({ type: 'web_site', name: 'a', datastoreId: used.datastore, config });
    const both = { sitemap: 'https://example.org/sitemap.xml', source_url: 'https://example.org' };
    expect((await sendForm(both)).status).toBe(201);
    expect((await sendForm({})).status).toBe(400);
  });
});

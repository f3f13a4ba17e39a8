import { describe, expect, it } from 'vitest';
import { createStatusReader, redactCredentials } from './service-status.js';

const UNAVAILABLE = new Error('expected a response of redis://quarry:secret@10.0.0.7:6379/0, found none');

describe('createStatusReader', () => {
  it('the status of a service contains its instance, its components, and its dependencies, with the reason of an outage', async () => {
    const read = createStatusReader({
      name: 'crawler',
      version: '1.2.3',
      dependencies: [
        { name: 'queue', required: true, neededBy: ['crawls'], check: () => Promise.reject(UNAVAILABLE) },
        { name: 'blobs', required: false, neededBy: ['uploads'], delays: 'removals', check: () => Promise.resolve() },
      ],
      listComponents: () => [{ kind: 'page_renderer', name: 'chromium' }],
    });
    expect(await read()).toMatchObject({
      ...{
        name: 'crawler',
        version: '1.2.3',
        instance: expect.stringMatching(new RegExp(`-${process.pid}$`)) as unknown,
      },
      dependencies: [
        {
          ...{ name: 'queue', required: true, affects: ['crawls'] },
          reason: 'expected a response of redis://10.0.0.7:6379/0, found none',
        },
        { name: 'blobs', required: false, reason: null, affects: ['uploads', 'removals'] },
      ],
      components: [{ kind: 'page_renderer', name: 'chromium' }],
    });
  });

  it.each([
    ['postgres://user:pass@host:5432/db refused', 'postgres://host:5432/db refused'],
    ['see https://token@host and http://other/a@b', 'see https://host and http://other/a@b'],
    ['rediss+cluster://:p%40ss@a:1,b:2', 'rediss+cluster://a:1,b:2'],
    ['nothing here', 'nothing here'],
  ])('redactCredentials removes the credentials of all addresses in the text "%s"', (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
  });
});

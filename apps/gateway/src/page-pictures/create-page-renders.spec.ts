import { pagePictureQueue } from '@quarry/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatastore } from '../testing/create-resources.js';
import { locatePagePicture, storePicture, uploadPdf } from '../testing/page-pictures.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { createPageRenders } from './create-page-renders.js';
import type { PictureLocation } from './locate-picture.js';
import { PAGE_RENDER_LIMITS, type PageRenders } from './page-renders.js';

const used = setUpTenant();
const { signal: open } = new AbortController();
let location: PictureLocation;
let renders: PageRenders;
const openRenders = (limits: Partial<typeof PAGE_RENDER_LIMITS>): void => {
  renders = createPageRenders(used.test.gateway, { ...PAGE_RENDER_LIMITS, ...limits });
};
beforeEach(async () => {
  location = await locatePagePicture(used.test, await uploadPdf(used.tenant.api, used.datastore));
});
afterEach(() => {
  renders.close();
});
const countJobs = (): number =>
  used.test.queues.listAddedJobs(pagePictureQueue).filter(({ payload }) => payload.pictureKey === location.pictureKey)
    .length;

describe('createPageRenders', () => {
  it('if a page is not rendered within the maximum waiting time, the page renderer refuses the request, and a later request for the page adds no second job', async () => {
    openRenders({ waitMs: 1 });
    const late = { code: 'page_not_rendered', headers: { 'Retry-After': '5' } };
    await expect(renders.waitForPicture(location, open)).rejects.toMatchObject(late);
    await expect.poll(countJobs).toBe(1);
    await expect(renders.waitForPicture(location, open)).rejects.toMatchObject(late);
    expect(countJobs()).toBe(1);
  });

  it('a page that is being rendered counts toward the limit of its organization until its picture is stored, even if the request was aborted', async () => {
    openRenders({ perOrganization: 1 });
    const leaving = new AbortController();
    const left = renders.waitForPicture(location, leaving.signal);
    leaving.abort(new Error('the client disconnected'));
    await expect(left).rejects.toThrow('the client disconnected');
    const other = { ...location, pictureKey: `${location.pictureKey}2`, failureKey: `${location.failureKey}2` };
    await expect(renders.waitForPicture(other, open)).rejects.toMatchObject({ code: 'too_many_page_renders' });
    await storePicture(used.test, location);
    await renders.waitForPicture(location, open);
    await storePicture(used.test, other);
    await expect(renders.waitForPicture(other, open)).resolves.toBeUndefined();
  });

  it('a page that no worker renders in time no longer counts toward the limit of the organization', async () => {
    openRenders({ perOrganization: 1, renderMs: 1 });
    await expect(renders.waitForPicture(location, open)).rejects.toMatchObject({ code: 'page_not_rendered' });
    const other = { ...location, pictureKey: `${location.pictureKey}2` };
    await expect(renders.waitForPicture(other, open)).rejects.toMatchObject({ code: 'page_not_rendered' });
  });

  it('the page renderer refuses a request if the maximum number of requests is already waiting', async () => {
    openRenders({ waiting: 1 });
    const first = renders.waitForPicture(location, open);
    await expect(renders.waitForPicture(location, open)).rejects.toMatchObject({ code: 'overloaded' });
    await storePicture(used.test, location);
    await first;
  });

  it('if the maximum number of requests of an organization is waiting, the page renderer refuses a further request of this organization, but none of another organization', async () => {
    openRenders({ waitingPerOrganization: 1 });
    const first = renders.waitForPicture(location, open);
    await expect(renders.waitForPicture(location, open)).rejects.toMatchObject({
      code: 'too_many_page_renders',
      headers: { 'Retry-After': '2' },
    });
    const other = await used.test.createTenant();
    const foreign = await locatePagePicture(used.test, await uploadPdf(other.api, await createDatastore(other.api)));
    const foreignRequest = renders.waitForPicture(foreign, open);
    await storePicture(used.test, foreign);
    await expect(foreignRequest).resolves.toBeUndefined();
    await storePicture(used.test, location);
    await first;
    await expect(renders.waitForPicture(location, open)).resolves.toBeUndefined();
  });

  it('the page renderer refuses waiting requests when the gateway stops', async () => {
    openRenders({});
    const waiting = renders.waitForPicture(location, open);
    renders.close();
    await expect(waiting).rejects.toMatchObject({ code: 'service_stopping' });
  });

  it('the page renderer refuses requests while the queue is unavailable', async () => {
    openRenders({});
    const add = (): Promise<never> => Promise.reject(new Error('connect ECONNREFUSED'));
    const queues = { ...used.test.queues, createProducer: () => ({ add, addAll: add }) };
    const unavailable = createPageRenders({ ...used.test.gateway, queues });
    await expect(unavailable.waitForPicture(location, open)).rejects.toMatchObject({ code: 'dependency_unavailable' });
  });
});

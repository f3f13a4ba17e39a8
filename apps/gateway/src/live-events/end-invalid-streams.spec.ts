import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { sessions } from '../database/tables/sessions.js';
import { IDLE_MS } from '../sessions/session-repository.js';
import { signIn } from '../testing/sign-in.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { endInvalidStreams } from './end-invalid-streams.js';
import { Subscriber } from './subscriber.js';

const used = setUpTenant();
let subscriber: Subscriber;
let other: Subscriber;

beforeEach(async () => {
  const { organizationId, key } = used.tenant;
  await signIn(used.test, key);
  const [session] = await used.test.gateway.db
    .select()
    .from(sessions)
    .where(eq(sessions.organizationId, organizationId));
  if (session === undefined) throw new Error('expected a session, found none');
  const { apiKeyId: keyId, tokenHash: sessionHash } = session;
  subscriber = new Subscriber({ organizationId, keyId, sessionHash, datastoreId: used.datastore });
  other = new Subscriber({ organizationId, keyId, datastoreId: used.datastore });
});

const checkStreams = async (afterMs = 0): Promise<void> => {
  const { db, log } = used.test.gateway;
  const readClock = (): Date => new Date(Date.now() + afterMs);
  await endInvalidStreams({ db, log, clock: readClock }, [subscriber, other]);
};

describe('the check of the credentials of open streams', () => {
  it('endInvalidStreams does not end the streams of open sessions', async () => {
    await checkStreams();
    expect([subscriber.hasEnded, other.hasEnded]).toEqual([false, false]);
  });

  it('endInvalidStreams ends the streams of a session that was idle for too long, but not the streams of requests with its API key', async () => {
    await checkStreams(IDLE_MS);
    expect([subscriber.hasEnded, other.hasEnded]).toEqual([true, false]);
  });

  it('endInvalidStreams ends the streams of a session that was deleted without a notification', async () => {
    await used.test.gateway.db.delete(sessions).where(eq(sessions.organizationId, used.tenant.organizationId));
    await checkStreams();
    expect([subscriber.hasEnded, other.hasEnded]).toEqual([true, false]);
  });
});

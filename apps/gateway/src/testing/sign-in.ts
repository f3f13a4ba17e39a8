import type { Api, TestGateway } from './start-test-gateway.js';

/** Signs in with an API key. @returns an HTTP client that sends the cookie as a page of the console does */
export async function signIn(test: Pick<TestGateway, 'createApi'>, key: string): Promise<Api> {
  const response = await test.createApi().post('/api/session').send({ apiKey: key });
  return createApiWithCookie(test, readSetCookie(response.headers));
}

/** Creates an HTTP client that sends a cookie as a page of the console does. */
export function createApiWithCookie(test: Pick<TestGateway, 'createApi'>, cookie: string): Api {
  return test.createApi().set('Cookie', cookie).set('Sec-Fetch-Site', 'same-origin');
}

/** Returns the cookie that the headers of a response set, in the form `<name>=<value>`. */
export function readSetCookie(headers: Readonly<Record<string, unknown>>): string {
  const [cookie] = [headers['set-cookie']].flat();
  if (typeof cookie !== 'string') throw new Error('expected a response that sets a cookie, found none');
  return cookie.split(';')[0] ?? '';
}

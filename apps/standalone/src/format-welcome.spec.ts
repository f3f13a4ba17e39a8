import { describe, expect, it } from 'vitest';
import { formatWelcome } from './format-welcome.js';

const url = 'http://127.0.0.1:3000';
const signInUrl = `${url}/signin#code=abc`;
const dataDirectory = '/quarry/data';
const defaults = { url, dataDirectory };
const sample = { agentId: 'a1', question: 'What is a datastore?' };

describe('the welcome message', () => {
  it('the welcome message shows a new API key, and a command that omits the key and works in every shell', () => {
    const key = { text: 'qk_new', isNew: true, file: '/data/root-key' };
    const text = formatWelcome({ url, signInUrl, dataDirectory, key, sample }, defaults);
    expect(text).toContain('Your first API key, shown this once: qk_new');
    expect(text).toContain('\n  http://127.0.0.1:3000/signin#code=abc\n');
    expect(text).toContain('\n  node scripts/ask.mjs "What is a datastore?"\n');
  });

  it('the welcome message adds the URL and the data folder to the command if they differ from the defaults', () => {
    const key = { text: 'qk_old', isNew: false, file: '/elsewhere/root-key' };
    const elsewhere = { signInUrl, url: 'http://127.0.0.1:8080', dataDirectory: '/elsewhere', key, sample };
    expect(formatWelcome(elsewhere, defaults)).toContain(
      'node scripts/ask.mjs --url http://127.0.0.1:8080 --data "/elsewhere" "What is a datastore?"',
    );
  });

  it('the welcome message shows the file of an existing API key instead of the key', () => {
    const key = { text: 'qk_old', isNew: false, file: '/data/root-key' };
    const text = formatWelcome({ url, signInUrl, dataDirectory, key, sample: undefined }, defaults);
    expect(text).not.toContain('qk_old');
    expect(text).toContain(`Bearer $(cat '/data/root-key')`);
  });

  it('the welcome message shows the environment variable that configures the API key instead of the key', () => {
    const key = { text: 'qk_mine', isNew: false, file: undefined };
    const text = formatWelcome({ url, signInUrl, dataDirectory, key, sample: undefined }, defaults);
    expect(text).not.toContain('qk_mine');
    expect(text).toContain(`curl -H "Authorization: Bearer $QUARRY_ROOT_KEY" ${url}/api/datastores`);
  });
});

import { expect, it } from 'vitest';
import { KeyIcon } from '../components/icons.js';
import { filterCommands, type Command } from './filter-commands.js';

const buildCommand = (title: string, words = ''): Command => ({
  ...{ key: title, title, words, group: 'Screens', icon: KeyIcon },
  onRun: () => undefined,
});
const COMMANDS = [buildCommand('API keys', 'token secret'), buildCommand('Keyboard'), buildCommand('Schlüssel')];

it.each([
  ['', ['API keys', 'Keyboard', 'Schlüssel']],
  ['key', ['Keyboard', 'API keys']],
  ['KEY api', ['API keys']],
  ['secret', ['API keys']],
  ['schlussel', ['Schlüssel']],
  ['nothing', []],
])('filterCommands returns the commands that match %j, those with a matching title first', (text, expected) => {
  expect(filterCommands(COMMANDS, text).map(({ title }) => title)).toEqual(expected);
});

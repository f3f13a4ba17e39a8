import type { Icon } from '../components/icons.js';

/** An entry of the command palette. */
export interface Command {
  readonly key: string;
  readonly title: string;
  /** Further words that find the command. */
  readonly words: string;
  readonly group: string;
  readonly icon: Icon;
  readonly onRun: () => void;
}

const MAX_COMMANDS = 50;

/** Finds the commands that contain all words of a text. Commands whose title begins with the text are first. */
export function filterCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  const found = commands.filter((command) => {
    const content = fold(`${command.title} ${command.words} ${command.group}`);
    return words.every((word) => content.includes(word));
  });
  const beginning = words[0] ?? '';
  const begins = ({ title }: Command): number => (fold(title).startsWith(beginning) ? 0 : 1);
  return found.toSorted((one, other) => begins(one) - begins(other)).slice(0, MAX_COMMANDS);
}

/** Removes case and accents from a text. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();
}

/** Code as it stands; or what nobody sees: a comment, or an anchor around nothing. */
const CODE_OR_UNSEEN = /(`+)[\s\S]*?[^`]\1(?!`)|<!--[\s\S]*?-->|<a (?:id|name)=["'][^"'>]*["']\s*(?:\/>|>\s*<\/a>)/g;
/** The address and looks of a heading, as several tools write them behind it: `{#use}`, `{.wide}`, or the first in a comment. */
const ATTRIBUTES = /\s*\{(?:\s?[#.:][^{}]*|\/[^{}]*\/)\}\s*$/;

/** Markdown without what is not shown. */
export function withoutUnseen(markdown: string): string {
  return markdown.replace(CODE_OR_UNSEEN, (found, ticks: string | undefined) => (ticks === undefined ? '' : found));
}

export function withoutAttributes(heading: string): string {
  return heading.replace(ATTRIBUTES, '');
}

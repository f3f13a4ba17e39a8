const REQUIRED_MAJOR = 24;

/** Describes why this version of Node is not supported; undefined for a supported one. */
export function describeWrongNode(version: string): string | undefined {
  const major = Number(/^v(\d+)\./.exec(version)?.[1]);
  if (major === REQUIRED_MAJOR) return undefined;
  return `Quarry runs on Node ${REQUIRED_MAJOR}, found ${version}. npm scripts bring the right one: use npm start, or node_modules/.bin/node.`;
}

/** Ends the process on an unsupported Node. Native modules would fail later, with errors that are hard to understand. */
export function refuseOtherNode(): void {
  const problem = describeWrongNode(process.version);
  if (problem === undefined) return;
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

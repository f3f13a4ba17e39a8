// node scripts/compare-openai.mjs <openapi.json>: compares /v1 with the OpenAPI document of
// https://github.com/openai/openai-openapi, and writes docs/openai-properties.md. Build Quarry first (npm run check).
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const GATEWAY = '../apps/gateway/dist';
const TARGET = fileURLToPath(new URL('../docs/openai-properties.md', import.meta.url));
const USAGE = 'node scripts/compare-openai.mjs <openapi.json of openai/openai-openapi>';
const METHODS = ['get', 'post', 'delete'];
/** Maximum depth of nested objects whose properties are compared. */
const MAX_DEPTH = 3;
/** Lists the resources of the report, each with a pattern that matches the paths of its operations. */
const RESOURCES = {
  'Chat completions': /^\/chat\/completions/,
  Embeddings: /^\/embeddings/,
  Files: /^\/files/,
  Models: /^\/models/,
  Responses: /^\/responses(?!.*beta=true)/,
  Uploads: /^\/uploads/,
  'Vector stores': /^\/vector_stores/,
};

/** Lists the outcomes of properties that Quarry does not support. */
const OTHERS = ['refused', 'ignored', 'inapplicable', 'missing'];
/** Maps optional response properties to the request parameters that produce them. Quarry refuses these parameters. */
const BELONGS_TO = {
  'choices.message.audio': 'audio',
  'choices.message.function_call': 'functions',
  'choices.message.tool_calls': 'tools',
  moderation: 'moderation',
  system_fingerprint: 'seed',
};

const [source] = process.argv.slice(2);
if (source === undefined) {
  console.error(USAGE);
  process.exit(1);
}
const { OPENAI_OPERATIONS } = await import(`${GATEWAY}/operations/openai/routes.js`);
const { fingerprintDeclarations } = await import(`${GATEWAY}/openapi/fingerprint-declarations.js`);
const { buildOpenApiDocument } = await import(`${GATEWAY}/openapi/document.js`);
const theirs = JSON.parse(readFileSync(source, 'utf8'));
const ours = buildOpenApiDocument(OPENAI_OPERATIONS);

const compared = Object.entries(RESOURCES).map(([name, paths]) => compareResource(name, paths));
writeFileSync(TARGET, formatComparison(compared));
for (const { name, properties } of compared) {
  const { handled, all } = countHandledProperties(properties);
  console.log(
    `${name.padEnd(18)}${String(handled).padStart(5)} of ${String(all).padStart(3)}  ${formatPercentage(handled, all)}`,
  );
}

function compareResource(name, paths) {
  const operations = Object.entries(theirs.paths)
    .filter(([path]) => paths.test(path))
    .flatMap(([path, item]) => METHODS.filter((method) => method in item).map((method) => ({ path, method })));
  const served = operations.filter(({ path, method }) => findServedOperation(path, method) !== undefined);
  const missing = operations.filter((operation) => !served.includes(operation));
  const found = served.flatMap(compareOperation);
  const refused = new Set(
    found.filter(({ part, outcome }) => part === 'request' && outcome === 'refused').map((one) => one.name),
  );
  const properties = found.map((one) =>
    one.outcome === 'missing' && refused.has(BELONGS_TO[one.name]) ? { ...one, outcome: 'inapplicable' } : one,
  );
  return { name, served, missing, properties };
}

/**
 * Returns the operation of Quarry with a path and method. Returns undefined if the operation does not exist or refuses
 * every request.
 */
function findServedOperation(path, method) {
  return OPENAI_OPERATIONS.find(
    (operation) => operation.path === path && operation.method === method && 200 in operation.responses,
  );
}

function compareOperation({ path, method }) {
  const label = `${method.toUpperCase()} ${path}`;
  const operation = findServedOperation(path, method);
  const [their, our] = [theirs.paths[path][method], ours.paths[path][method]];
  const place = { label, part: 'request', probe: createPropertyProbe(operation) };
  return [
    ...compareQueryParameters(label, operation.query === undefined ? 'missing' : 'refused', [their, our]),
    ...compareSchemas(place, [theirs, findBodySchema(their.requestBody)], [ours, findBodySchema(our.requestBody)]),
    ...compareSchemas(
      { label, part: 'response' },
      [theirs, findBodySchema(their.responses?.['200'])],
      [ours, findBodySchema(our.responses['200'])],
    ),
  ];
}

/** Compares the query parameters. `otherwise` is the outcome of a parameter that Quarry does not declare. */
function compareQueryParameters(label, otherwise, [their, our]) {
  const listNames = (operation) =>
    (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name.replace('[]', ''));
  const known = new Set(listNames(our));
  return listNames(their).map((name) => ({
    label,
    part: 'query',
    name,
    outcome: known.has(name) ? 'supported' : otherwise,
  }));
}

/** Compares the properties of two schemas, and the properties of nested objects. */
function compareSchemas(place, [theirRoot, theirSchema], [ourRoot, ourSchema], path = '', depth = 1) {
  const expected = listProperties(theirRoot, theirSchema);
  const found = listProperties(ourRoot, ourSchema);
  return [...expected].flatMap(([property, schema]) => {
    const name = path + property;
    const own = found.get(property);
    if (own === undefined) return [{ ...place, name, outcome: determineUndeclaredOutcome(place, name, ourSchema) }];
    const nested =
      depth < MAX_DEPTH && listProperties(ourRoot, own).size > 0
        ? compareSchemas(place, [theirRoot, schema], [ourRoot, own], `${name}.`, depth + 1)
        : [];
    return [{ ...place, name, outcome: 'supported' }, ...nested];
  });
}

/**
 * Returns the outcome of a property that Quarry does not declare. For a property of a request body, `probe` determines
 * the outcome.
 */
function determineUndeclaredOutcome({ part, probe }, name) {
  if (part === 'response') return 'missing';
  return name.includes('.') ? 'refused' : probe(name);
}

/**
 * Creates a function that parses a body with an unusual value of a property, and returns the resulting outcome of the
 * property.
 */
function createPropertyProbe(operation) {
  return (name) => {
    const { json } = operation.body ?? {};
    if (json === undefined) return 'refused';
    try {
      json.parse({ [name]: { unusual: true } }, {});
    } catch (error) {
      if (error.code === 'unknown_parameter') return 'missing';
      if (error.code === 'unsupported_parameter') return 'refused';
    }
    return 'ignored';
  };
}

function findBodySchema(message) {
  const { content = {} } = message ?? {};
  return (content['application/json'] ?? content['multipart/form-data'])?.schema;
}

/** Lists the properties of a schema. Includes those of the items of a list, and those of all alternatives. */
function listProperties(root, schema, seen = new Set()) {
  if (schema === undefined || seen.has(schema)) return new Map();
  seen.add(schema);
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (schema.$ref !== undefined) parts.push(root.components.schemas[schema.$ref.split('/').at(-1)]);
  if (schema.items !== undefined) parts.push(schema.items);
  const own = Object.entries(schema.properties ?? {}).filter(([, property]) => !isAddedBySdks(property));
  return new Map([...parts.flatMap((part) => [...listProperties(root, part, seen)]), ...own]);
}

/** Returns true for a property that only the SDKs of OpenAI add, and that the API does not return. */
function isAddedBySdks({ anyOf = [], ...schema }) {
  return [schema, ...anyOf].some((one) => 'x-oaiSupportedSDKs' in one);
}

function countHandledProperties(properties) {
  return { handled: properties.filter(({ outcome }) => outcome !== 'missing').length, all: properties.length };
}

function formatPercentage(handled, all) {
  return all === 0 ? '–' : `${((100 * handled) / all).toFixed(1)} %`;
}

function formatComparison(resources) {
  const intro = `# Properties of the OpenAI-compatible API

\`scripts/compare-openai.mjs\` generates this page from [OpenAI's published document](https://github.com/openai/openai-openapi)
and from the operations of Quarry. It compares the properties of requests and responses, with three levels of nested objects.

- **Supported**: the property has an effect, or the response contains it.
- **Refused**: a request with the property is refused, and the error names it. Values that change nothing are accepted.
- **Ignored**: every value is accepted, because the property does not change an answer.
- **Inapplicable**: only responses to a refused parameter contain the property.
- **Missing**: the response does not contain the property, or no rule for the parameter exists.

The share is that of all properties that are not missing. The properties of all alternatives count, such as those of every tool.
The compared declarations of Quarry have the fingerprint \`${fingerprintDeclarations(OPENAI_OPERATIONS)}\`. A test fails when they change.
`;
  return [intro, formatSummary(resources), ...resources.map(formatResource)].join('\n');
}

function formatSummary(resources) {
  const rows = resources.map(({ name, served, missing, properties }) => {
    const countOutcome = (outcome) => String(properties.filter((one) => one.outcome === outcome).length);
    const { handled, all } = countHandledProperties(properties);
    const operations = `${served.length} of ${served.length + missing.length}`;
    const counts = ['supported', ...OTHERS].map(countOutcome);
    return [name, operations, ...counts, formatPercentage(handled, all)];
  });
  return formatTable(['resource', 'operations', 'supported', ...OTHERS, 'share'], rows);
}

function formatResource({ name, missing, properties }) {
  const others = properties.filter(({ outcome }) => outcome !== 'supported');
  const groups = Map.groupBy(others, ({ label, part, outcome }) => `${label}, ${part}, ${outcome}`);
  const lists = [...groups].map(([label, group]) => `${label}:\n${group.map((one) => `  ${one.name}`).join('\n')}`);
  const absent = missing.map(({ method, path }) => `- \`${method.toUpperCase()} ${path}\``).join('\n');
  return [
    `## ${name}\n`,
    ...(lists.length === 0 ? [] : [`Properties that are not supported:\n\n\`\`\`text\n${lists.join('\n')}\n\`\`\`\n`]),
    ...(missing.length === 0 ? [] : [`Operations that Quarry does not serve:\n\n${absent}\n`]),
  ].join('\n');
}

function formatTable(head, rows) {
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => row[at].length)));
  const formatLine = (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`;
  return `${[formatLine(head), formatLine(widths.map((width) => '-'.repeat(width))), ...rows.map(formatLine)].join('\n')}\n`;
}

import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import jsxA11y from 'eslint-plugin-jsx-a11y-x';
import prettier from 'eslint-config-prettier';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import unicorn from 'eslint-plugin-unicorn';
import tseslint from 'typescript-eslint';
import { docComments } from './scripts/lint/doc-comments.mjs';
import { functionNames } from './scripts/lint/function-names.mjs';
import { importCycles } from './scripts/lint/import-cycles.mjs';
import { testTitles } from './scripts/lint/test-titles.mjs';

/** Dependencies point one way: composition → app → adapter, kit → port → contract → base. Pages (web) import contracts only. */
const LAYERS = [
  ['base', ['base']],
  ['contract', ['base', 'contract']],
  ['port', ['base', 'contract', 'port']],
  ['adapter', ['base', 'contract', 'port', 'adapter']],
  ['kit', ['base', 'contract', 'port', 'kit']],
  ['web', ['base', 'contract', 'web']],
  ['app', ['base', 'contract', 'port', 'adapter', 'kit', 'web']],
  ['composition', ['base', 'contract', 'port', 'adapter', 'kit', 'web', 'app', 'composition']],
];

/** A vendor's package, and the folders that may import it. Everything else uses the port. */
const DRIVERS = [
  [['class-validator'], ['libs/validation']],
  [['bullmq', 'bullmq/*'], ['libs/queue-bullmq']],
  [['ioredis'], ['libs/queue-bullmq', 'apps/gateway']],
  [['rate-limiter-flexible'], ['apps/gateway']],
  [['pg'], ['libs/queue-bullmq', 'libs/embedded-postgres', 'apps/gateway']],
  [['drizzle-orm', 'drizzle-orm/*'], ['apps/gateway']],
  [['@lancedb/*', 'apache-arrow'], ['libs/fragment-store-lancedb']],
  [['@qdrant/*'], ['libs/fragment-store-qdrant']],
  [
    ['@langchain/*', '/langchain', '/langchain/*'],
    ['libs/embedder-langchain', 'libs/client', 'apps/query'],
  ],
  [['@huggingface/*'], ['libs/embedder-transformers']],
  [['@aws-sdk/*'], ['libs/blob-store-s3']],
  [['undici'], ['libs/safe-fetch', 'apps/gateway', 'apps/query']],
  [['@modelcontextprotocol/*', 'jose'], ['apps/gateway']],
];

const DRIVER_FOLDERS = [...new Set(DRIVERS.flatMap(([, folders]) => folders))];

const driversForbiddenIn = (folder) =>
  DRIVERS.filter(([, folders]) => !folders.includes(folder)).map(([group, folders]) => ({
    group,
    message: `Only ${folders.join(', ')} may import this driver; use the port.`,
  }));

const only = (folder) => ({
  files: [`${folder}/**/*.{ts,tsx}`],
  rules: { 'no-restricted-imports': ['error', { patterns: driversForbiddenIn(folder) }] },
});

/** In the gateway, HTTP ends at its edge: what is behind it throws problems by code, and does not import the edge. */
const HTTP_TYPES = {
  group: ['express', 'multer'],
  message: 'Only apps/gateway/src/http and operations import HTTP types; take the values as arguments.',
};
const HTTP_STATUSES = {
  group: ['**/problems.js'],
  importNames: ['PROBLEMS'],
  message: 'Only the HTTP edge maps codes to statuses; throw a problem by its code.',
};
const HTTP_EDGE = {
  group: ['**/http/*', '**/operations/*', '**/openapi/*'],
  message: 'The HTTP edge imports the domain, never the other way round.',
};

const SYNTAX_EVERYWHERE = [
  { selector: 'ExportAllDeclaration', message: 'Re-export by name, so that a reader sees what there is.' },
  {
    selector: "CallExpression[callee.object.name='vi'][callee.property.name=/^(mock|doMock|hoisted|fn|spyOn)$/]",
    message: 'No mocks: pass an explicit test double as an argument.',
  },
];

/** Words that have a plainer or a standard one, as names of variables, functions, types and fields. */
const DENIED_WORDS = [
  ...['tell', 'tells', 'told', 'telling', 'tellings', 'hear', 'hears', 'heard', 'say', 'says', 'saying', 'knows'],
  ...['patience', 'patiently', 'patienceMs', 'goesOn', 'away', 'sealed', 'atMost', 'asOne', 'foretold'],
  ...['company', 'inCompany', 'sideProgram', 'sealing', 'SealBroken', 'peers', 'stops', 'comesOf', 'mortal'],
  ...['foretell', 'foretellRemoval', 'givingWay', 'othersHadTheirTurn', 'answerOnce', 'answerAgain'],
  ...['IN_COMPANY_MS', 'REST_MS', 'MOST_AHEAD', 'LEAST_SIZE'],
  ...['kept', 'held', 'taken'],
];

const insideGateway = (ignores, patterns) => ({
  files: ['apps/gateway/src/**/*.ts'],
  ignores: ['apps/gateway/src/testing/**', '**/*.spec.ts', ...ignores.map((path) => `apps/gateway/src/${path}`)],
  rules: { 'no-restricted-imports': ['error', { patterns: [...driversForbiddenIn('apps/gateway'), ...patterns] }] },
});

export default tseslint.config(
  { ignores: ['**/dist', '**/migrations', 'node_modules', 'data', '.nx', '**/.venv'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['**/*.ts', '**/*.tsx'] })),
  ...tseslint.configs.stylisticTypeChecked.map((config) => ({ ...config, files: ['**/*.ts', '**/*.tsx'] })),
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['vitest.config.ts', 'vitest.all.config.ts', 'vitest.seed.ts'] },
      },
    },
    plugins: {
      '@nx': nx,
      unicorn,
      quarry: {
        rules: {
          'doc-comments': docComments,
          'function-names': functionNames,
          'import-cycles': importCycles,
          'test-titles': testTitles,
        },
      },
    },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          enforceBuildableLibDependency: false,
          allow: [],
          depConstraints: LAYERS.map(([layer, allowed]) => ({
            sourceTag: `type:${layer}`,
            onlyDependOnLibsWithTags: allowed.map((name) => `type:${name}`),
          })),
        },
      ],
      'quarry/doc-comments': 'error',
      'quarry/function-names': 'error',
      'quarry/import-cycles': 'error',
      'no-restricted-imports': ['error', { patterns: driversForbiddenIn('') }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        ...SYNTAX_EVERYWHERE,
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: 'Only config.ts and main.ts read the environment.',
        },
      ],
      'id-denylist': ['error', ...DENIED_WORDS],
      'max-params': ['error', 4],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-lines': ['warn', { max: 250, skipBlankLines: true, skipComments: true }],
      'unicorn/filename-case': ['error', { case: 'kebabCase' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-restricted-types': 'error',
      '@typescript-eslint/no-unnecessary-condition': 'error',
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // A map of job payloads must be a type: an interface has no index signature.
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/consistent-indexed-object-style': 'off',
      // Shapes are classes without methods: a literal of the same fields is as good as an instance.
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-ignore': true, 'ts-expect-error': true, 'ts-nocheck': true },
      ],
    },
  },
  // A regular expression that needs quadratic time blocks the process that reads a hostile text. Tests read their own
  // texts, and document-readers reads each file in a process with a time limit.
  {
    files: ['apps/**/*.{ts,tsx}', 'libs/**/*.ts'],
    ignores: ['**/*.spec.ts', 'apps/system-tests/**', 'libs/document-readers/**'],
    plugins: { regexp },
    rules: { 'regexp/no-super-linear-backtracking': 'error', 'regexp/no-super-linear-move': 'error' },
  },
  // An index is a list of names, one per line.
  { files: ['**/generated/**', '**/src/index.ts'], rules: { 'max-lines': 'off' } },
  {
    files: ['apps/console/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks, 'jsx-a11y-x': jsxA11y },
    rules: {
      ...reactHooks.configs.recommended.rules,
      ...jsxA11y.configs.recommended.rules,
      // It concerns the React Compiler only, which the console does not use.
      'react-hooks/incompatible-library': 'off',
      // Event handlers in markup are one-line functions.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['apps/console/src/**/*.{ts,tsx}'],
    ignores: ['**/*.spec.ts', 'apps/console/src/shell/app.tsx', 'apps/console/src/api/create-observed-fetch.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket'].map((name) => ({
          name,
          message: 'The console sends its requests through @quarry/client: use useClient.',
        })),
      ],
    },
  },
  {
    files: ['apps/console/public/*.js'],
    languageOptions: { globals: { document: 'readonly', localStorage: 'readonly' } },
  },
  ...DRIVER_FOLDERS.map(only),
  insideGateway(['http/**', 'operations/**'], [HTTP_TYPES]),
  insideGateway(['http/**', 'operations/**', 'openapi/**', 'server.ts'], [HTTP_TYPES, HTTP_STATUSES, HTTP_EDGE]),
  {
    files: [
      '**/config.ts',
      '**/main.ts',
      '**/*.spec.ts',
      'apps/system-tests/**/*.ts',
      'bench/**/*.ts',
      'vitest.config.ts',
      '**/*.config.ts',
    ],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...SYNTAX_EVERYWHERE,
        {
          selector:
            "CallExpression[callee.callee.property.name=/^(skipIf|runIf)$/] > ArrowFunctionExpression[body.type='Identifier'][body.name='undefined']",
          message:
            'A test without a body always passes: skip the tests of a missing server, and name it in their title.',
        },
        {
          selector:
            "CallExpression[callee.name=/^(setTimeout|sleep)$/][arguments.1.type='Literal'][arguments.1.value>100]",
          message: 'No sleeping in tests: wait for the event.',
        },
      ],
    },
  },
  { files: ['**/*.spec.{ts,tsx}'], rules: { 'quarry/test-titles': 'error' } },
  {
    files: ['**/*.spec.ts', '**/testing/**/*.ts', 'apps/system-tests/src/console/*.ts'],
    rules: {
      // A test double keeps the port's asynchronous shape, and supertest's bodies are unknown by nature.
      '@typescript-eslint/require-await': 'off',
      'max-lines': 'off',
      // A suite of tests is one callback.
      'max-lines-per-function': 'off',
    },
  },
  {
    files: [
      'scripts/**/*.mjs',
      'apps/console/*.mjs',
      'apps/system-tests/deployed-clients/*.mjs',
      'docker/*.mjs',
      'bench/baselines/*.mjs',
      '*.mjs',
    ],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        fetch: 'readonly',
        File: 'readonly',
        FormData: 'readonly',
        TextDecoderStream: 'readonly',
        performance: 'readonly',
        Buffer: 'readonly',
      },
    },
  },
  prettier,
);

// ESLint rule: a function name begins with a verb, or is a noun. The name must not begin with a preposition, as
// `asText` does.

const PREPOSITION = /^#?(among|as|at|behind|below|beyond|by|in|of|under)(?=[A-Z])/;
/** Matches names that begin with the adjectives “in-memory” or “in-process”, which are allowed. */
const ADJECTIVE = /^#?in(Memory|Process)/;

export const functionNames = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      preposition: 'Begin the name of the function {{name}} with a verb, not with the preposition “{{word}}”.',
    },
  },
  create(context) {
    const checkName = (id, { params }) => {
      const name = id.type === 'PrivateIdentifier' ? `#${id.name}` : id.name;
      const [, word] = ADJECTIVE.test(name ?? '') ? [] : (PREPOSITION.exec(name ?? '') ?? []);
      // Comparators with two parameters, such as `byName`, may begin with a preposition.
      if (word === undefined || (word === 'by' && params.length === 2)) return;
      context.report({ node: id, messageId: 'preposition', data: { name, word } });
    };
    return {
      FunctionDeclaration: (node) => node.id && checkName(node.id, node),
      MethodDefinition: (node) => checkName(node.key, node.value),
      VariableDeclarator: (node) => /Function/.test(node.init?.type ?? '') && checkName(node.id, node.init),
    };
  },
};

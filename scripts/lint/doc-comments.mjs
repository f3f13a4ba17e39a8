// ESLint rule: a doc comment states what its declaration does. The comment must not begin with a question word or a
// preposition.

const OPENING = /^\*[\s*]*(What|Whatever|Whether|Where|Whoever|Why|How|Such as|Of|One that)\b/;

export const docComments = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      opening: 'Begin a doc comment with a third-person verb or with its subject, not with “{{word}}”.',
    },
  },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const [, word] = comment.type === 'Block' ? (OPENING.exec(comment.value) ?? []) : [];
          if (word !== undefined) context.report({ loc: comment.loc, messageId: 'opening', data: { word } });
        }
      },
    };
  },
};

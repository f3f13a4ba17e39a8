/** Declares the part of PromQL's parser that the tests use. */
declare module '@prometheus-io/lezer-promql' {
  export interface SyntaxNode {
    readonly name: string;
    readonly type: { readonly isError: boolean };
    readonly from: number;
    readonly to: number;
    readonly firstChild: SyntaxNode | null;
    readonly nextSibling: SyntaxNode | null;
  }
  export const parser: { parse(expression: string): { readonly topNode: SyntaxNode } };
}

/** Declares the part of the Dockerfile parser that the tests use. */
declare module 'dockerfile-ast' {
  export interface Instruction {
    getKeyword(): string;
    getArguments(): { getValue(): string }[];
  }
  export interface From extends Instruction {
    getImage(): string | null;
  }
  export const DockerfileParser: {
    parse(content: string): {
      getInstructions(): Instruction[];
      getDirectives(): { getName(): string }[];
    };
  };
}

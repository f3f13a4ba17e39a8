import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { Fragment, useMemo, type ReactNode } from 'react';
import { decodeEntities } from './decode-entities.js';
import { findSafeAddress } from './find-safe-address.js';
import './markdown.css';

export interface MarkdownProps {
  readonly text: string;
  /**
   * Function that renders the plain text between markup, for example with citation marks as links. Default: shows the
   * text.
   */
  readonly renderText?: RenderText;
}

type RenderText = (text: string) => ReactNode;

/** Maximum depth of nested lists and quotes. Deeper levels are shown as Markdown source. */
const MAX_DEPTH = 16;

/**
 * Renders untrusted Markdown, such as an answer of a model, as React elements. HTML in the Markdown is shown as text,
 * images are not loaded, and only `http`, `https` and `mailto` addresses become links. Each block has the direction of
 * its text, such as right to left for Arabic.
 */
export function Markdown({ text, renderText = (plain) => plain }: MarkdownProps): ReactNode {
  const tokens = useMemo(() => parseMarkdown(text), [text]);
  return <div className="markdown">{tokens === undefined ? text : renderTokens(tokens, { renderText, depth: 0 })}</div>;
}

/** Parses Markdown. Returns undefined if the parser fails, such as for a quote that is nested ten thousand times. */
function parseMarkdown(text: string): readonly Token[] | undefined {
  try {
    return lexer(text, { gfm: true, breaks: true });
  } catch {
    return undefined;
  }
}

/** The function that renders plain text, and the nesting depth of a Markdown token. */
interface Place {
  readonly renderText: RenderText;
  readonly depth: number;
}

function renderTokens(tokens: readonly Token[], { renderText, depth }: Place): ReactNode {
  if (depth > MAX_DEPTH) return tokens.map(({ raw }) => raw).join('');
  return tokens.map((token, index) => (
    <Fragment key={index}>{renderToken(token as MarkedToken, { renderText, depth: depth + 1 })}</Fragment> // no extensions are installed
  ));
}

function renderToken(token: MarkedToken, place: Place): ReactNode {
  const renderInside = (): ReactNode =>
    'tokens' in token && Array.isArray(token.tokens) ? renderTokens(token.tokens, place) : place.renderText(token.raw);
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'paragraph':
      return <p dir="auto">{renderInside()}</p>;
    case 'heading':
      return <h3 dir="auto">{renderInside()}</h3>;
    case 'blockquote':
      return <blockquote dir="auto">{renderInside()}</blockquote>;
    case 'strong':
      return <strong>{renderInside()}</strong>;
    case 'em':
      return <em>{renderInside()}</em>;
    case 'del':
      return <del>{renderInside()}</del>;
    case 'link':
      return <SafeLink address={token.href}>{renderInside()}</SafeLink>;
    case 'code':
      return <CodeToken {...token} />;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'list':
      return <ListToken place={place} token={token} />;
    case 'table':
      return <TableToken place={place} token={token} />;
    case 'hr':
      return <hr />;
    case 'br':
      return <br />;
    case 'escape':
      return token.text;
    case 'text':
      return token.tokens === undefined ? place.renderText(decodeEntities(token.text)) : renderInside();
    case 'image':
      // Loading an image would reveal the IP address of the user to the server of the image.
      return <SafeLink address={token.href}>{token.text === '' ? token.href : token.text}</SafeLink>;
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'html':
    case 'list_item':
      // HTML is shown as text.
      return token.raw;
  }
}

function CodeToken({ text }: Tokens.Code): ReactNode {
  return (
    // eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex -- keyboards scroll it (WCAG 2.1.1)
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}

interface TokenProps<Kind> {
  readonly token: Kind;
  readonly place: Place;
}

function ListToken({ token, place }: TokenProps<Tokens.List>): ReactNode {
  const items = token.items.map((item, index) => <li key={index}>{renderTokens(item.tokens, place)}</li>);
  if (!token.ordered) return <ul dir="auto">{items}</ul>;
  return (
    <ol dir="auto" start={token.start === '' ? 1 : token.start}>
      {items}
    </ol>
  );
}

function TableToken({ token, place }: TokenProps<Tokens.Table>): ReactNode {
  return (
    // eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex -- keyboards scroll it (WCAG 2.1.1)
    <div className="markdown-table" tabIndex={0}>
      <table dir="auto">
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index} scope="col">
                {renderTokens(cell.tokens, place)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, rowIndex) => (
            <tr key={rowIndex}>
              {row.map((cell, index) => (
                <td key={index}>{renderTokens(cell.tokens, place)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SafeLink({ address, children }: { readonly address: string; readonly children: ReactNode }): ReactNode {
  const safe = findSafeAddress(address);
  if (safe === undefined) return children;
  return (
    <a href={safe} rel="noopener noreferrer nofollow" target="_blank">
      {children}
    </a>
  );
}

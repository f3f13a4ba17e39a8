import type { ReactNode } from 'react';
import { buildExcerpt } from '../../components/build-excerpt.js';
import { StatusBadge, Tag } from '../../components/status-badge.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { ScreenLink } from '../../routing/screen-link.js';
import type { EvaluatedQuestion } from './judge-questions.js';
import { evaluationsMessages } from './messages.js';

/**
 * Shows a question of an evaluation with its answer, the expected texts or passages, and the passages that were found.
 */
export function QuestionDetail({ question }: { readonly question: EvaluatedQuestion }): ReactNode {
  const messages = useMessages(evaluationsMessages);
  // Several relevant passages of one document have the same reference text, which is shown once.
  const expected = [...new Set([...question.expected, ...question.relevant.map(getReferenceText)])];
  return (
    <div className="form evaluation-detail">
      <strong>{question.question}</strong>
      {question.answer !== null && (
        <section>
          <h3>{messages.answer}</h3>
          <p className="evaluation-answer">{question.answer}</p>
        </section>
      )}
      {expected.length > 0 && (
        <section>
          <h3>{messages.expected}</h3>
          <span className="tags">
            {expected.map((text) => (
              <Tag key={text}>{text}</Tag>
            ))}
          </span>
        </section>
      )}
      <section>
        <h3>{messages.passages}</h3>
        {question.results.length === 0 && <p className="muted">{messages.noPassages}</p>}
        <ol className="evaluation-passages">
          {question.results.map((result, at) => (
            <EvaluatedPassage key={`${result.datasourceId} ${String(at)}`} result={result} />
          ))}
        </ol>
      </section>
    </div>
  );
}

/** Returns the text that identifies relevant passages of a question: a document, a source, an id or a text. */
function getReferenceText(reference: EvaluatedQuestion['relevant'][number]): string {
  const { document, source, customId, datasourceId, text } = reference;
  return document ?? source ?? customId ?? datasourceId ?? text ?? '';
}

function EvaluatedPassage({ result }: { readonly result: EvaluatedQuestion['results'][number] }): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { number } = useFormats();
  const { page, score, relevant, cited, text } = result;
  return (
    <li>
      <div className="evaluation-passage">
        <PassageLink result={result} />
        <span className="muted numbers">
          {page !== null && ` · ${messages.page(number(page))}`} · {number(score)}
        </span>
        {relevant && <StatusBadge tone="success">{messages.relevant}</StatusBadge>}
        {cited === true && <StatusBadge tone="info">{messages.cited}</StatusBadge>}
      </div>
      {text !== null && text !== '' && <p className="evaluation-text">{buildExcerpt(text)}</p>}
    </li>
  );
}

/**
 * Shows a link to the document of a passage. A result without a document key, as earlier versions of Quarry stored it,
 * has a link to the datasource.
 */
function PassageLink({ result }: { readonly result: EvaluatedQuestion['results'][number] }): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { datasourceId, datasourceName, documentKey, page } = result;
  if (datasourceName === null) return <span className="muted">{messages.deleted}</span>;
  if (documentKey === null) {
    return (
      <ScreenLink parameters={{ datasourceId }} to="datasource">
        {datasourceName}
      </ScreenLink>
    );
  }
  return (
    <>
      <ScreenLink
        parameters={{ datasourceId, documentId: documentKey }}
        search={page === null ? {} : { page: String(page) }}
        to="document"
      >
        {documentKey}
      </ScreenLink>
      {datasourceName !== documentKey && <span className="muted">{datasourceName}</span>}
    </>
  );
}

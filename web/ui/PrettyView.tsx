import { Fragment, useMemo, useState } from 'react';
import { CopyTextButton } from './CopyButton.tsx';
import { prettyPrint, prettyText } from './pretty.ts';
import './pretty-view.css';

const shownLines = 400;

/** A body as it went over the wire, laid out for reading; "Raw" shows the very characters. */
export function PrettyView({ label, body }: { label: string; body: string }) {
  const [raw, setRaw] = useState(false);
  const [whole, setWhole] = useState(false);
  const pretty = useMemo(() => prettyPrint(body), [body]);
  if (body.trim() === '') return <p className="muted small pretty-empty">{label}: empty</p>;
  const lines = whole ? pretty.lines : pretty.lines.slice(0, shownLines);
  return (
    <div className="pretty">
      <div className="pretty-bar">
        <span className="pretty-label">{label}</span>
        <span className="muted small">{pretty.syntax === 'text' ? 'text' : pretty.syntax.toUpperCase()}</span>
        <span className="push" />
        {pretty.syntax !== 'text' && (
          <button type="button" className="tool-button" aria-pressed={raw} onClick={() => setRaw(!raw)}>
            Raw
          </button>
        )}
        <CopyTextButton text={() => (raw ? body : prettyText(pretty))} label="Copy" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="pretty-code" aria-label={label} tabIndex={0}>
        {raw ? (
          <code>{body}</code>
        ) : (
          <code>
            {lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
              <Fragment key={at}>
                <span className="pretty-line" style={{ paddingLeft: `${line.indent * 1.4 + 0.1}em` }}>
                  {line.tokens.map((token, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: tokens never move
                    <span key={index} className={`tk-${token.kind}`}>
                      {token.text}
                    </span>
                  ))}
                </span>
              </Fragment>
            ))}
          </code>
        )}
      </section>
      {!raw && !whole && pretty.lines.length > shownLines && (
        <button type="button" className="tool-button" onClick={() => setWhole(true)}>
          Show all {pretty.lines.length} lines
        </button>
      )}
    </div>
  );
}

import type { ReactNode } from 'react';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { embedLine } from './embed-line.ts';
import './landing-page.css';

/** What makes a landing page count: a line of script, a mark on its form, and its id in the leads it posts. */
export function EmbedSteps({ pageId }: { pageId: string }) {
  return (
    <ol className="embed-steps">
      <li>
        <strong>Views.</strong> Put this line into the page, anywhere. It sets no cookie, stores nothing, and says nothing of the visitor.
        <Snippet text={embedLine(pageId)} label="Copy the line of script" />
        <span className="muted small">
          A page with a content security policy allows <code>{location.origin}</code> under <code>script-src</code> and{' '}
          <code>connect-src</code>.
        </span>
      </li>
      <li>
        <strong>Submits.</strong> Mark the form with <code>data-sluice-submit</code>, as in <code>{'<form data-sluice-submit>'}</code>. A
        page that sends in a way of its own calls <code>sluicePage.submit()</code> when it did. A visit counts once, however often it sends.
      </li>
      <li>
        <strong>Sold.</strong> Post each lead of the page with <code>landingPageId</code> beside its fields, by the key of the publisher
        tier.
        <Snippet text={`"landingPageId": "${pageId}"`} label="Copy the member that names the page" />
      </li>
    </ol>
  );
}

function Snippet({ text, label }: { text: string; label: string }): ReactNode {
  return (
    <span className="embed-line">
      <code className="mono">{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
